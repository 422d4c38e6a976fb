"""Four generators of bindings over the headers: `generators.py PREFIX BINDGEN`, with cffi and ctypesgen installed, gcc and clang. PREFIX is what
`cargo xtask install` wrote.

Each must find every function and every constant that include/withy.json tells of, with its value where the generator gives one. cffi and
ctypesgen do not read the C library's own headers: they get a stand-in for stddef.h and stdint.h.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import cffi

STDDEF = "typedef unsigned long size_t;\n"
STDINT = """
typedef signed int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
#define UINT64_MAX 0xffffffffffffffffu
"""


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def compare(name, what, wanted, found):
    missing = sorted(set(wanted) - set(found))
    assert not missing, f"{name}: {len(missing)} {what} are missing: {', '.join(missing[:9])}"
    if isinstance(wanted, dict):
        wrong = [f"{key} is {found[key]}, not {value}" for key, value in wanted.items() if found[key] not in (value, None)]
        assert not wrong, f"{name}: {wrong[:9]}"
    print(f"  {name}: {len(wanted)} {what}")


def bindgen(program, header, include, functions, constants):
    """Rust."""
    text = output(program, header, "--", f"-I{include}")
    compare("bindgen", "functions", functions, re.findall(r"pub fn (withy_\w+)\(", text))
    # It reads numbers as of 64 bits with a sign.
    found = {key: int(value) % 2**64 if key == "WITHY_ALL" else int(value)
             for key, value in re.findall(r"pub const (WITHY_\w+): [iu]\d+ = (-?\d+);", text)}
    found.update(re.findall(r'pub const (WITHY_\w+): &\[u8; \d+usize\] = b"(.*)\\0";', text))
    compare("bindgen", "constants", constants, found)


def by_cffi(text, library, functions):
    """Python. It takes declarations without a preprocessor's lines; constants have to be named to it."""
    ffi = cffi.FFI()
    ffi.cdef(text)
    compare("cffi", "functions", functions, [d.split()[1] for d in ffi._parser._declarations if d.startswith("function ")])
    return ffi.dlopen(str(library)).withy_version()


def ctypesgen(include, library, tiny, headers, folder, functions, constants):
    """Python. Its result is compiled and run."""
    program = Path(sys.executable).with_name("ctypesgen")
    out = folder / "by_ctypesgen.py"
    output(program, f"-I{include}", f"-l{library}", "--cpp", f"gcc -E -std=c99 -nostdinc -I{tiny}", *headers, "-o", out)
    text = out.read_text()
    compare("ctypesgen", "functions", functions, re.findall(r'\.has\("(withy_\w+)"', text))
    names = {}
    exec(compile(text, str(out), "exec"), names)
    # Its constants are C's expressions in Python: an unsigned one may be a ctypes number.
    values = {key: getattr(names[key], "value", names[key]) for key in constants if key in names}
    compare("ctypesgen", "constants", constants, values)
    return names["withy_version"]()


def clang(header, include, functions):
    """What the bindings of Swift, Zig and others begin with; the comments are checked, too."""
    out = output("clang", "-x", "c", "-std=c99", "-fsyntax-only", "-Wdocumentation", "-Werror", f"-I{include}",
                 "-Xclang", "-ast-dump=json", header)
    nodes = json.loads(out)["inner"]
    compare("clang", "functions", functions, [n["name"] for n in nodes if n["kind"] == "FunctionDecl"])


def main():
    prefix, program = Path(sys.argv[1]).resolve(), sys.argv[2]
    include, library = prefix / "include", prefix / "lib/libwithy.so"
    api = json.loads((include / "withy.json").read_text())
    functions = [function["name"] for function in api["functions"]]
    constants = {constant["name"]: constant["value"] for constant in api["constants"]}
    assert len(functions) > 150 and len(constants) > 100
    headers = sorted(include.glob("withy*.h"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tiny = folder / "tiny"
        tiny.mkdir()
        (tiny / "stddef.h").write_text(STDDEF)
        (tiny / "stdint.h").write_text(STDINT)
        header = folder / "all.h"
        header.write_text("".join(f'#include "{h.name}"\n' for h in headers))
        text = output("gcc", "-E", "-P", "-std=c99", "-nostdinc", f"-I{tiny}", f"-I{include}", header)
        versions = by_cffi(text, library, functions), ctypesgen(include, library, tiny, headers, folder, functions, constants)
        assert versions == (constants["WITHY_VERSION"],) * 2, versions
        clang(header, include, functions)
        bindgen(program, header, include, functions, constants)


if __name__ == "__main__":
    main()
