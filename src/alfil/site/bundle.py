"""Run by the Python of the browser while the site is built: bytecode, and what is kept beside it.

Reads /sources.zip and /python_stdlib.zip; writes /alfil.zip and /python.zip.
"""

import ast
import importlib
import os
import py_compile
import sys
import zipfile

PACKAGES = "/packages"
# A fixed time: the same sources give the same files.
WHEN = (2020, 1, 1, 0, 0, 0)
# What Pyodide itself asks for while it starts, besides what it has loaded by now.
STARTING = tuple(
    "encodings/__init__ encodings/aliases encodings/utf_8 encodings/latin_1 encodings/ascii"
    " encodings/idna encodings/cp437 _sysconfig _pyodide/ pyodide/ importlib/".split()
)
# Modules that alfil names for work no page does: compiling C, clusters, processes, terminals.
ELSEWHERE = {"ctypes", "subprocess", "concurrent", "multiprocessing", "readline", "select", "signal"}


def compiled(source: bytes, name: str) -> bytes:
    """The bytecode of a module, without asserts and docstrings, for any place it is put at."""
    with open("/module.py", "wb") as file:
        file.write(source)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile("/module.py", "/module.pyc", name, True, 2, unchecked)  # noqa: FBT003
    with open("/module.pyc", "rb") as file:
        return file.read()


def lay_out() -> set[str]:
    """Write the packages as bytecode; returns the modules that they name."""
    named = set()
    with zipfile.ZipFile("/sources.zip") as sources:
        for name in sources.namelist():
            content = sources.read(name)
            path = os.path.join(PACKAGES, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if name.endswith(".py"):
                named |= imported(content)
                content, path = compiled(content, name), f"{path}c"
            with open(path, "wb") as file:
                file.write(content)
    os.makedirs(f"{PACKAGES}/alfil/__pycache__")
    return named


def imported(source: bytes) -> set[str]:
    """The modules that a module imports anywhere, by their full names."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def write(path: str, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])


def bundle_packages() -> None:
    found = {}
    for folder, _, names in os.walk(PACKAGES):
        for name in names:
            path = os.path.join(folder, name)
            if not path.endswith((".cpython-314.pyc",)):
                with open(path, "rb") as file:
                    found[os.path.relpath(path, PACKAGES)] = file.read()
    write("/alfil.zip", found)


def bundle_library() -> None:
    """What has been loaded by now, and what Pyodide starts with."""
    loaded = [getattr(each, "__file__", None) or "" for each in [*sys.modules.values()]]
    used = {path.partition(".zip/")[2] for path in loaded if ".zip/" in path}
    with zipfile.ZipFile("/python_stdlib.zip") as library:
        kept = {}
        for name in library.namelist():
            if name not in used and not name.startswith(STARTING):
                continue
            content = library.read(name)
            if name.endswith(".py"):
                content, name = compiled(content, name), f"{name}c"
            kept[name] = content
    write("/python.zip", kept)


named = lay_out()
sys.path.insert(0, PACKAGES)
sys.dont_write_bytecode = False
from alfil.site import answers  # noqa: E402 - it is there only now

answers.rehearse()
for module in sorted(each for each in named if each.partition(".")[0] not in ELSEWHERE):
    if module.partition(".")[0] in sys.stdlib_module_names:
        try:
            importlib.import_module(module)
        except ImportError:
            pass  # not for this Python, or only for some systems
bundle_packages()
bundle_library()
