"""Executes the notebooks of a folder; an exception in a cell ends it, and each must draw something: run_notebooks.py FOLDER"""

import pathlib
import sys

import nbclient
import nbformat

notebooks = sorted(pathlib.Path(sys.argv[1]).glob("*.ipynb"))
for file in notebooks:
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells), f"{file.name} was saved with its outputs"
    nbclient.NotebookClient(notebook, timeout=120).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs), f"{file.name} draws nothing"
    print(f"  {file.name}")
assert len(notebooks) == 3, notebooks
