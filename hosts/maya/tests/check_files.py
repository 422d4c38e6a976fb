"""What no compiler checks: the README's tables, ranges and defaults against withy.json, the scripts' attributes, includes, exports.

check_files.py TABLE PLUGIN [--write]    (--write puts the tables into the README)
"""

import json
import math
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- attributes: written by tests/check_files.py -->\n", "<!-- end of attributes -->\n"
# Other defaults than the library's: a groom is hair and not rubber, a spine is not limp, the unit of the scene is a centimetre.
OTHERS = {"young_modulus", "shear_modulus", "density", "radius", "damping", "drag", "metres_per_unit", "bend", "twist"}
wrong = []


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tables(table):
    readme = HERE / "README.md"
    text = readme.read_text()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    new = run(table) + "\n"
    if "--write" in sys.argv:
        readme.write_text(before + BEGIN + new + END + after)
    elif old != new:
        wrong.append("README.md: the attribute tables are not those of the sources: run check_files.py with --write")


def ranges(rows):
    """A row's limits are those of withy.json; lengths of the interface (distances) are checked by the library alone."""
    library = json.loads((HERE / "../../include/withy.json").read_text())
    fields = {(s["name"], f["name"]): f for s in library["structs"] for f in s.get("fields", [])}
    compared = 0
    for node, name, _, _, source, value, least, most, kind in rows:
        if not source:
            continue
        struct, field = source.split(".")
        if (struct, field) not in fields:
            wrong.append(f"{node}.{name}: withy.json has no {source}")
            continue
        meaning = fields[struct, field]
        if kind in ("enum", "distance") or "span" in meaning:
            continue
        if "range" in meaning:
            # "inf" as text: no limit there.
            low, high = (x if isinstance(x, (int, float)) else math.nan for x in meaning["range"])
            # 0 stands for "the library chooses" at these.
            low = 0 if "zero" in meaning and float(least) == 0 else low
            for mine, theirs, which in ((least, low, "least"), (most, high, "most")):
                alike = math.isclose(float(mine), theirs, rel_tol=1e-12) or (math.isnan(float(mine)) and math.isnan(theirs))
                if not alike:
                    wrong.append(f"{node}.{name}: {which} is {mine}, and {theirs} in withy.json")
            compared += 1
        if "default" in meaning and field not in OTHERS:
            if meaning["default"] is not None and float(value) != float(meaning["default"]):
                wrong.append(f"{node}.{name}: default is {value}, and {meaning['default']} in withy.json")
    print(f"{compared} ranges are those of withy.json")
    if compared < 20:
        wrong.append(f"only {compared} ranges could be compared")


def scripts(rows):
    names = {}
    for node, name, *_ in rows:
        names.setdefault(node, set()).add(name)
    every = set().union(*names.values())
    for path in sorted((HERE / "scripts").glob("*.mel")):
        text = path.read_text()
        stripped = re.sub(r'"(\\.|[^"\\])*"', '""', re.sub(r"//.*", "", text))
        for pair in ("()", "{}", "[]"):
            if stripped.count(pair[0]) != stripped.count(pair[1]):
                wrong.append(f"{path.name}: {pair} do not match")
        if stripped.count('"') % 2:
            wrong.append(f"{path.name}: a string does not end")
        if path.name.startswith("AE"):
            node = path.name[2:-len("Template.mel")]
            if f"global proc AE{node}Template" not in text:
                wrong.append(f"{path.name}: no proc AE{node}Template")
            used = set(re.findall(r'-(?:addControl|suppress|addSeparator)\s+"(\w+)"', text))
            used |= set(re.findall(r'AEaddRampControl \(\$node \+ "\.(\w+)"\)', text))
            for name in used - names[node] - {"envelope"}:
                wrong.append(f"{path.name}: {node} has no {name}")
            parents = {r[1] for r in rows if r[0] == node and not r[3] and r[8] != "output"}
            for name in parents - used:
                wrong.append(f"{path.name}: {name} is not shown")
        else:
            used = set(re.findall(r'\(?\$(?:node|groom|bone) \+ "\.(\w+)', text))
            if path.name == "withy.mel" and len(used) < 10:
                wrong.append(f"{path.name}: only {len(used)} attributes were found in it")
            # Maps by their names alone, as arguments and buttons.
            used |= set(re.findall(r'"(\w+Map)"', text))
            for name in used - every:
                wrong.append(f"{path.name}: no node has {name}")


def includes():
    """Maya's headers have a class each: a file includes what it names, itself or by its own header."""
    for path in sorted((HERE / "src").iterdir()):
        text = path.read_text()
        own = path.with_suffix(".h")
        seen = text + (own.read_text() if own.exists() else "")
        if "node.h" in text or path.stem.endswith("_node"):
            seen += (HERE / "src/node.h").read_text()
        seen += (HERE / "src/maths.h").read_text() if "maths.h" in seen else ""
        seen += (HERE / "src/attributes.h").read_text() if "attributes.h" in seen else ""
        seen += (HERE / "src/colliders.h").read_text() if "colliders.h" in seen else ""
        code = re.sub(r"//.*", "", text)
        for name in sorted(set(re.findall(r"\b(M(?:Fn|Px|It|Data|Array|Node)?[A-Z][a-z]\w*)\b", code))):
            if name in ("MTick", "MStatusCode") or not (HERE / "fake/maya" / f"{name}.h").exists():
                continue
            if f"<maya/{name}.h>" not in seen:
                wrong.append(f"src/{path.name}: names {name} and does not include it")


def exports(plugin):
    symbols = {line.split()[-1] for line in run("nm", "-D", "--defined-only", plugin).splitlines()}
    if symbols != {"_Z16initializePlugin7MObject", "_Z18uninitializePlugin7MObject"}:
        wrong.append(f"the plugin exports {len(symbols)} symbols: {sorted(symbols)[:5]}")


def main():
    table, plugin = sys.argv[1:3]
    rows = [line.split("|") for line in run(table, "plain").splitlines()]
    tables(table)
    ranges(rows)
    scripts(rows)
    includes()
    exports(plugin)
    for text in wrong:
        print(text)
    sys.exit(bool(wrong))


main()
