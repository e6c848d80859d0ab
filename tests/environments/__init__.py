"""Examples of every environment: each inherits the tests of grammar, names, chunks, pictures and answers."""

EXAMPLES = [
    "diamond:1",
    "diamond:3",
    "diamond:2,edges=0/3/10/21",
    "diamond:1,edges=3/10",
    "polygon_tower:2",
    "polygon_tower:7",
    "two_rays",
    "six_rays",
    "set_cover:0/1;1/2;0/2",
    "set_cover:5;1/2/7",
    "thresholds:2",
    "thresholds:3,index=17",
    "random_cone:d=3,m=60,h=9",
    "random_cone:d=6,m=101,h=20,seed=3",
]
