"""Inner loops of the heuristics: they guess, and everything they say is made exact elsewhere.

Written with plain indices only, so that they run on Python's lists where a problem is small, and as machine code on
arrays where it is large (`hornbook.compiling`); the results are the same.  Floats are added in a fixed order.

Unit u shows `unit_rays[unit_start[u]:unit_start[u+1]]`, ray r is shown by `ray_units[ray_start[r]:ray_start[r+1]]`.
"""

from __future__ import annotations

from typing import Any

__all__ = ["ascend", "cheapest_of_rays", "exchange", "pick_by_price"]

Array = Any  # numba finds the types by itself
FAR = 1e300
PATIENCE = 20  # rounds of an ascent after which its step is looked at


def _flip(
    unit_start: Array, unit_rays: Array, ray_start: Array, ray_units: Array, costs: Array, demands: Array,
    inside: Array, chosen: Array, missing: Array, where: Array, score: Array, count: Array, weight: Array,
    memory: Array, money: Array, unit: Any, by: Any, /
) -> None:  # fmt: skip
    """Put a unit in (`by` 1) or take it out (-1), and tell the units whose scores that changes.

    The score of a unit is the weight of the rays it would newly show, or would leave with too few.
    """
    if by > 0:
        inside[unit] = memory[1]
        chosen[memory[1]] = unit
        memory[1] += 1
    else:
        memory[1] -= 1
        last = chosen[memory[1]]
        chosen[inside[unit]], inside[last] = last, inside[unit]
        inside[unit] = -1
    money[0] += by * costs[unit]
    for place in range(unit_start[unit], unit_start[unit + 1]):
        ray = unit_rays[place]
        low = count[ray] if by > 0 else count[ray] - 1
        count[ray] += by
        change = weight[ray] * by
        if low == demands[ray] - 1:
            if by > 0:
                memory[0] -= 1
                last = missing[memory[0]]
                missing[where[ray]], where[last] = last, where[ray]
            else:
                missing[memory[0]], where[ray] = ray, memory[0]
                memory[0] += 1
            for entry in range(ray_start[ray], ray_start[ray + 1]):
                other = ray_units[entry]
                if inside[other] < 0 and other != unit:
                    score[other] -= change
        elif low == demands[ray]:
            for entry in range(ray_start[ray], ray_start[ray + 1]):
                other = ray_units[entry]
                if inside[other] >= 0 and other != unit:
                    score[other] -= change


def _least_missed(chosen: Array, count: Any, score: Array, costs: Array, moved: Array, avoid: Any, /) -> Any:
    """The unit that is missed least for its cost, then the one that has rested longest, then the lowest; not `avoid`
    if there is another."""
    best, least = -1, FAR
    for place in range(count):
        unit = chosen[place]
        if unit == avoid and count > 1:
            continue
        loss = score[unit] / costs[unit]
        if best < 0 or loss < least or (loss == least and (moved[unit], unit) < (moved[best], best)):
            best, least = unit, loss
    return best


def _best_for(
    ray_start: Array, ray_units: Array, costs: Array, inside: Array, score: Array, moved: Array, ray: Any, room: Any, /
) -> Any:
    """The unit that shows `ray` and most else for its cost, if it costs less than `room`; -1 if none does."""
    best, most = -1, -FAR
    for entry in range(ray_start[ray], ray_start[ray + 1]):
        unit = ray_units[entry]
        if inside[unit] < 0 and costs[unit] < room:
            win = score[unit] / costs[unit]
            if best < 0 or win > most or (win == most and (moved[unit], unit) < (moved[best], best)):
                best, most = unit, win
    return best


def exchange(
    unit_start: Array, unit_rays: Array, ray_start: Array, ray_units: Array, costs: Array, demands: Array,
    inside: Array, chosen: Array, missing: Array, where: Array, score: Array, count: Array, weight: Array, moved: Array,
    best: Array, memory: Array, money: Array, steps: Any, target: Any, /
) -> None:  # fmt: skip
    """So many exchanges, or until the best costs no more than `target`.

    `memory`: how many rays are missing, units are in, and units the best has; the unit added last, the last number
    drawn, the steps done, the step of the last gain.  `money`: what is in costs, what the best costs.  In the
    beginning nothing is in, and `best` is put in.
    """
    if memory[5] == 0:
        for place in range(memory[2]):
            _flip(
                unit_start, unit_rays, ray_start, ray_units, costs, demands, inside, chosen, missing, where, score,
                count, weight, memory, money, best[place], 1,
            )  # fmt: skip
    for _ in range(steps):
        if money[1] <= target:
            break
        memory[5] += 1
        if memory[0] == 0 and money[0] < money[1]:
            for place in range(memory[1]):
                best[place] = chosen[place]
            money[1] = money[0]
            memory[2], memory[6] = memory[1], memory[5]
        unit = _least_missed(chosen, memory[1], score, costs, moved, memory[3] if memory[0] > 0 else -1)
        if unit >= 0:
            moved[unit] = memory[5]
            _flip(
                unit_start, unit_rays, ray_start, ray_units, costs, demands, inside, chosen, missing, where, score,
                count, weight, memory, money, unit, -1,
            )  # fmt: skip
        while memory[0] > 0:
            # Taking always the longest missing ray runs in circles.
            memory[4] = (memory[4] * 1103515245 + 12345) % 2147483648
            ray = missing[(memory[4] >> 8) % memory[0]]
            unit = _best_for(ray_start, ray_units, costs, inside, score, moved, ray, money[1] - money[0])
            if unit < 0:
                break
            moved[unit], memory[3] = memory[5], unit
            _flip(
                unit_start, unit_rays, ray_start, ray_units, costs, demands, inside, chosen, missing, where, score,
                count, weight, memory, money, unit, 1,
            )  # fmt: skip
        for place in range(memory[0]):
            ray = missing[place]
            weight[ray] += 1
            for entry in range(ray_start[ray], ray_start[ray + 1]):
                score[ray_units[entry]] += 1


def _value(unit_start: Array, unit_rays: Array, costs: Array, demands: Array, prices: Array, shown: Array, /) -> Any:
    """What prices on the rays prove: their worth less what units carry beyond their cost; `shown` counts the rays
    that units carrying more than they cost would show."""
    value = 0.0
    for ray in range(len(demands)):
        value += prices[ray] * demands[ray]
        shown[ray] = 0
    for unit in range(len(costs)):
        slack = costs[unit]
        for place in range(unit_start[unit], unit_start[unit + 1]):
            slack -= prices[unit_rays[place]]
        if slack < 0.0:
            value += slack
            for place in range(unit_start[unit], unit_start[unit + 1]):
                shown[unit_rays[place]] += 1
    return value


def ascend(
    unit_start: Array, unit_rays: Array, costs: Array, demands: Array, prices: Array, best: Array, shown: Array,
    memory: Array, upper: Any, rounds: Any, /
) -> None:  # fmt: skip
    """Raise the prices of rays shown too little and lower those of the others (Held and Karp 1971), for so many
    rounds; the step is that of Caprara, Fischetti and Toth 1999.

    `memory`: the step's factor, the best value, the least and most of late.  `best` are the prices of the best value.
    """
    for turn in range(1, rounds + 1):
        value = _value(unit_start, unit_rays, costs, demands, prices, shown)
        memory[2], memory[3] = min(memory[2], value), max(memory[3], value)
        if value > memory[1]:
            memory[1] = value
            for ray in range(len(demands)):
                best[ray] = prices[ray]
        if turn % PATIENCE == 0:
            if memory[3] - memory[2] > 0.01 * abs(memory[1]):
                memory[0] /= 2.0
            elif memory[3] - memory[2] < 0.001 * abs(memory[1]):
                memory[0] *= 1.5
            memory[2], memory[3] = FAR, -FAR
        norm = 0.0
        for ray in range(len(demands)):
            norm += (demands[ray] - shown[ray]) * (demands[ray] - shown[ray])
        if norm == 0.0:
            return
        step = memory[0] * max(upper - value, 0.01 * abs(upper)) / norm
        for ray in range(len(demands)):
            prices[ray] = max(0.0, prices[ray] + step * (demands[ray] - shown[ray]))


def pick_by_price(
    unit_start: Array, unit_rays: Array, ray_start: Array, ray_units: Array, costs: Array, need: Array, prices: Array,
    slack: Array, gain: Array, picked: Array, /
) -> Any:  # fmt: skip
    """Take the unit whose cost less the prices of what it newly shows is least for each of these rays, again and
    again.  Returns how many were picked; `need` is used up."""
    missing, count = 0, 0
    for ray in range(len(need)):
        missing += need[ray]
    for unit in range(len(costs)):
        slack[unit] = costs[unit]
        gain[unit] = unit_start[unit + 1] - unit_start[unit]
        for place in range(unit_start[unit], unit_start[unit + 1]):
            slack[unit] -= prices[unit_rays[place]]
    while missing > 0:
        best, least = -1, FAR
        for unit in range(len(costs)):
            if gain[unit] > 0:
                score = slack[unit] / gain[unit] if slack[unit] > 0.0 else slack[unit] * gain[unit]
                if best < 0 or score < least:
                    best, least = unit, score
        picked[count] = best
        count += 1
        for place in range(unit_start[best], unit_start[best + 1]):
            ray = unit_rays[place]
            if need[ray] > 0:
                need[ray] -= 1
                missing -= 1
                if need[ray] == 0:
                    for entry in range(ray_start[ray], ray_start[ray + 1]):
                        gain[ray_units[entry]] -= 1
                        slack[ray_units[entry]] += prices[ray]
        gain[best] = 0
    return count


def cheapest_of_rays(ray_start: Array, ray_units: Array, slack: Array, kept: Array, few: Array, /) -> None:
    """Mark in `kept`, for each ray, the units of least slack; `few` is room for as many as are wanted of each."""
    for ray in range(len(ray_start) - 1):
        used = 0
        for entry in range(ray_start[ray], ray_start[ray + 1]):
            unit = ray_units[entry]
            place = used
            if used < len(few):
                used += 1
            elif slack[unit] < slack[few[used - 1]]:
                place = used - 1
            else:
                continue
            while place > 0 and slack[unit] < slack[few[place - 1]]:
                few[place] = few[place - 1]
                place -= 1
            few[place] = unit
        for place in range(used):
            kept[few[place]] = 1
