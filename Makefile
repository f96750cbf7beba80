# Two commands do everything on a fresh Debian machine with Rust and Node: `make demo` and `make test`.
# The rest are their parts, and what is too slow for every day.

STEP = tests/run/step
# What is built is looked for here, wherever else this machine may want it.
export CARGO_TARGET_DIR = $(CURDIR)/target
export CARGO_TERM_COLOR ?= auto

.PHONY: all build demo test web release-check fuzz prove-fuzz simulation storms deny torture powercut syncs damage disk figures bench bench-dead bench-fanout bench-wall bench-console fidelity screenshots deb install uninstall clean

all: build

build: web
	cargo build --release --locked

# The real daemon on eight virtual boards.
demo:
	@tests/run/versions
	@$(MAKE) --no-print-directory build
	./target/release/escaque demo

# Everything the project can prove about itself in a coffee break. Quiet when green.
test:
	@tests/run/test

web: web/dist/index.html

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(shell find web -path web/node_modules -prune -o -path web/dist -prune -o -type f -print)
	cd web && npm run --silent build
	@touch $@

# Slower proofs: fuzzing, other people's programs, long demonstrations, figures.
release-check: build
	@tests/run/release-check

# Five minutes a target; SECONDS_EACH=30 make fuzz for a quick look.
fuzz:
	@tests/run/fuzz

# The program of a release under the tests of the daemon.
FAULTS = ESCAQUE=$(CURDIR)/target/release/escaque cargo test --locked --quiet --test daemon --

# What the program may be made of: licences, one version of each, and where it comes from.
deny:
	@tests/run/deny

# Ten thousand evenings of a hall in a world that follows from a seed; what fails names the one command that plays it
# again: SEED=17 SEEDS=1 make simulation
simulation: web
	cargo test --locked --release --quiet -p escaque --lib -- simulation::every_evening_holds --ignored --nocapture

# Five thousand games in which up to three things are bad at once, by any measure. One that ends badly is named by the
# command that plays it again: SEED=17 SEEDS=1 make storms
storms: web
	cargo test --locked --quiet -p escaque --lib -- storms:: --ignored --nocapture

# A thousand kills under fifty boards, most of an hour: KILLS=100 BOARDS=20 SEED=7 make torture for less and other dice.
# KEEP=folder keeps the journal of a run in which a game was read otherwise than it was played.
# Then one kill a blitz game, and how many tables are held after it.
torture: build
	$(FAULTS) torture:: --ignored --nocapture --test-threads 1

# Five hundred power cuts on a file system of its own, and as many of a whole machine under QEMU; each with a control that
# has to lose: CUTS=50 make powercut. Wants root.
powercut: build
	@STEP_SAYS=1 $(STEP) "power cuts" tests/run/powercut
	@STEP_SAYS=1 $(STEP) "power cuts of a machine" tests/guest/run cuts

# What leaves as final leaves after its sync, as strace sees it.
syncs: build
	@tests/run/need strace=strace
	$(FAULTS) syncs:: --ignored --nocapture

# A thousand of each kind of damage to the files, at rest and while running: EACH=50 SEED=7 make damage.
# What fails names the one command that brings it back.
damage: build
	$(FAULTS) damage:: --ignored --nocapture

# A disk that is full, errs, may only be read or is held by somebody else, while a game is played: LOCK_S=600 make disk.
disk: build
	$(FAULTS) disk:: --ignored --nocapture

# What the journal costs, how soon the daemon is back, and cables that are pulled: INPUTS=16700000 make figures.
figures: build
	$(FAULTS) figures:: --ignored --nocapture --test-threads 1

# Verdicts on dead positions beside plain enumeration, on 100,000 positions the dice make; a quarter of an hour.
# PROVE_SEED=7 make prove-fuzz throws other dice.
prove-fuzz:
	PROVE_FUZZ=$${PROVE_FUZZ:-100000} cargo test --locked --release -p laws --test laws prove_fuzz -- --ignored --nocapture

# The same prover beside chasolver: whole games in order, single positions, and walls. GAMES=file.pgn for your own games.
bench-dead:
	cd benches/dead && cargo run --locked --release --quiet -- $${GAMES:-games.pgn}

bench: web
	cargo bench --locked -p protocol
	cargo bench --locked -p escaque

# A thousand and ten thousand spectators beside a bare loop in C, dead ones among them, and the storm after a restart.
bench-fanout: web
	cargo bench --locked -p escaque --bench fanout

# What a wall of forty tables costs a browser, beside a wall of nothing but boards; and how soon a decision is on the
# arbiter's console. Wants Chromium, and a machine that does nothing else.
bench-wall: build
	@tests/run/figures wall
bench-console: build
	@tests/run/figures console

# How often the record is the game: a thousand games a profile, with a clock and without, each on a board of its own and
# ten in a row, fixed seeds. What makes it hard is measured by `escaque fidelity --hard all`.
fidelity: build
	status=0; for row in 1 10; do ./target/release/escaque fidelity --profile all --both --in-a-row $$row || status=$$?; done; \
	exit $$status

# The README's picture, from the demo in its middlegame. Takes some minutes: games have to be played.
screenshots: build
	npm --prefix web --silent run shots:readme

# Man pages and completions, as packages install them, from the program itself.
pages-of = mkdir -p target/package/man && $(1) man target/package/man && \
	$(1) completions bash > target/package/escaque.bash && $(1) completions zsh > target/package/_escaque && \
	$(1) completions fish > target/package/escaque.fish

# A package for Debian: target/debian/escaque_*.deb. Wants cargo-deb (cargo install cargo-deb).
deb: build
	$(call pages-of,./target/release/escaque)
	cargo deb --locked --no-build

# For other systems: make install DESTDIR=… PREFIX=/usr
PREFIX ?= /usr
install: build
	$(call pages-of,./target/release/escaque)
	install -D -m 755 target/release/escaque $(DESTDIR)$(PREFIX)/bin/escaque
	sed 's,/usr/bin/escaque,$(PREFIX)/bin/escaque,' systemd/escaque.service | \
		install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/lib/systemd/system/escaque.service
	install -D -m 644 systemd/70-escaque.rules $(DESTDIR)$(PREFIX)/lib/udev/rules.d/70-escaque.rules
	install -D -m 644 systemd/escaque.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/escaque.conf
	install -D -m 644 systemd/escaque.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/escaque.conf
	[ -e $(DESTDIR)/etc/escaque/escaque.toml ] || install -D -m 644 systemd/escaque.toml $(DESTDIR)/etc/escaque/escaque.toml
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 target/package/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1/
	install -D -m 644 target/package/escaque.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/escaque
	install -D -m 644 target/package/_escaque $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_escaque
	install -D -m 644 target/package/escaque.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/escaque.fish

# Games, configuration and the service's user stay. With the same DESTDIR and PREFIX, after `systemctl disable --now escaque`.
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/escaque lib/systemd/system/escaque.service lib/udev/rules.d/70-escaque.rules \
		lib/sysusers.d/escaque.conf lib/tmpfiles.d/escaque.conf share/man/man1/escaque.1 share/man/man1/escaque-*.1 \
		share/bash-completion/completions/escaque share/zsh/site-functions/_escaque \
		share/fish/vendor_completions.d/escaque.fish)

clean:
	cargo clean
	rm -rf web/dist web/node_modules
