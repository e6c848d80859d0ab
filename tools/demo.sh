#!/usr/bin/env bash
# `make demo`: problems of every kind solved, told, certified, and the certificates checked three ways.
set -euo pipefail
bin=$1
out=build/demo
rm -rf "$out" && mkdir -p "$out"
checker=$("$bin/python" -c 'import importlib.util as u; print(u.find_spec("hornbook").submodule_search_locations[0])')/certificate/check.py

run() { # run COMMAND...: say it, do it, keep its exit status
  local status=0
  printf '$'
  printf " %s" "${@//*;*/\'&\'}" # what a shell would split is shown in quotes
  echo
  "$bin/$@" || status=$?
  echo
  return $status
}

demonstrate() { # PROBLEM NAME
  run hornbook teach "$1" --certificate "$out/$2.cert"
  run hornbook check "$out/$2.cert" "$1"
  run hornbook check --fast "$out/$2.cert" "$1"
}

echo "The paper's running example: boards of six slots, pick the diamond with most edges, the rightmost on ties."
demonstrate diamond:6 diamond
echo "What every lesson has to show, and what a learner may believe who has not seen it."
run hornbook rays diamond:6
"$bin/python" - <<'PY'
import hornbook

for misconception in hornbook.teach(hornbook.environment("diamond:6")).misconceptions:
    print(misconception)
PY
echo
echo "Is a set of my own enough?  This one is not, and here is who errs (exit status 1 says so too)."
run hornbook test two_rays --states t || [ $? -eq 1 ]
demonstrate two_rays two_rays
demonstrate six_rays six_rays
demonstrate "set_cover:0/1/2;2/3/4;4/5/0;1/3/5;0/3;1/4;2/5" set_cover
demonstrate thresholds:3,index=20 thresholds
echo "Features in floating point: the verdict says what was merged, and the proof holds for all that the noise allows."
demonstrate polygon_tower:12 tower

echo "A problem file, and the checker as one file of its own: standard library only, nothing of hornbook."
run hornbook make diamond:4 -o "$out/diamond4.json"
run hornbook teach "$out/diamond4.json" --certificate "$out/diamond4.cert"
echo "\$ python check.py $out/diamond4.cert $out/diamond4.json"
"$bin/python" -I "$checker" "$out/diamond4.cert" "$out/diamond4.json"

echo
echo "And pages to keep: open one in a browser, turn the cone, try to teach it with fewer."
run hornbook report diamond:6 -o "$out/diamond.html"
run hornbook report polygon_tower:12 -o "$out/tower.html"
