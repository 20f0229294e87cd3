# make demo   the main job: calibrate on the sample knowledge base, retrieve, answer, write a report
# make lab    JupyterLab, opened on the first lesson; options for it: make lab LAB='--no-browser --allow-root'
# make test   everything that CI checks; of the notebooks what changed since they last ran: all of them by make test ALL=1
# make nightly  the same and what takes long: every browser, every language model, more rounds
# make quick  of that what takes no language model, no browser and no site: two minutes
# make lint   the linters, the order of the rooms, how easily the modules read
# make docs   README.md and the documentation site in _docs
# Another Python: make PYTHON=python3.12 demo; PyTorch for a GPU: make TORCH=default demo

PYTHON ?= $(firstword $(foreach p,python3 python,$(if $(shell command -v $(p) 2>/dev/null),$(p))) none)
BIN = .venv/bin

.PHONY: demo lab test nightly quick lint docs clean
.SILENT:

demo:
	$(call env,demo)
	$(BIN)/python -m conflare_nb demo

lab:
	$(call env,lab)
	echo "Opening JupyterLab on the first lesson (stop it with Ctrl-C)"
	$(BIN)/jupyter lab nbs/tutorials/the-idea.ipynb --ServerApp.root_dir="$(CURDIR)" $(LAB)

test:
	$(call env,test)
	ALL=$(ALL) $(BIN)/python tools/check.py

nightly:
	$(call env,test)
	$(BIN)/python tools/check.py --nightly

quick:
	$(call env,test)
	$(BIN)/python tools/check.py --quick

lint:
	$(call env,test)
	$(BIN)/python tools/check.py lint

docs:
	$(call env,test)
	$(BIN)/python -W ignore tools/docs.py

clean:
	rm -rf .venv _proc _docs build dist .ruff_cache .import_linter_cache test-results

define env
command -v $(PYTHON) >/dev/null 2>&1 || { echo "error: no Python found; install Python 3.10 to 3.13, or name one: make PYTHON=/path/to/python3.11 $@" >&2; exit 2; }
$(PYTHON) tools/env.py $(1)
endef
