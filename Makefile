# What Drover is built, tested and tried with. Debian's packages come from `make packages`; root is wanted for it, for the
# lab and for the tests on it.

PREFIX ?= /usr/local
PACKAGES = apt-utils binutils busybox ca-certificates curl diffutils fish gnupg iproute2 libssh2-1-dev libyaml-dev mmdebstrap \
	openssh-client openssh-server patch pkg-config procps python3-venv strace sudo systemd-container time tmux unzip \
	util-linux xz-utils zip zsh
DROVER = .build/release/drover
# The Swift libraries are part of the program: it starts faster, and needs no Swift where it is installed.
RELEASE_BUILD = swift build --configuration release --static-swift-stdlib
# Package.swift links the programs of this build statically, too.
TESTABLE = swift build --configuration release --build-tests
TESTS = swift test --configuration release --skip-build
# The Debian of the hosts of `make smoke`.
RELEASE = bookworm
SOURCES = Sources Tests playbooks Benchmarks starter/Sources starter/Tests starter/Package.swift Package.swift

.PHONY: demo build test unit-test smoke integration-test bench fuzz format lint install packages \
	package reproduce try-package docs docs-check docs-reference docs-examples docs-diagrams

## Makes a cluster of three lab hosts and shows it at work.
demo: packages build
	DROVER=$(DROVER) sh demo.sh

## Leaves the program at .build/release/drover.
build:
	$(RELEASE_BUILD) --product drover

## Everything that can be tested; the programs and both kinds of tests come from one build.
test unit-test integration-test: export DROVER_INTEGRATION = release
test: packages lint unit-test integration-test

unit-test:
	$(TESTABLE)
	docs/scripts/reference.py --check --drover $(DROVER)
	$(TESTS) --skip IntegrationTests

## Each flow once, on lab hosts: five minutes after the build. RELEASE=trixie has them run Debian 13.
smoke: export DROVER_INTEGRATION = debug
smoke: export DROVER_RELEASE = $(RELEASE)
smoke: packages
	swift build --build-tests
	swift test --skip-build --filter IntegrationTests.SmokeTests

## The optimized programs against lab hosts, which the tests start and remove. The slowest tests are printed at the end, and
## the failures last: they may stand a thousand lines above.
integration-test: SHELL = /bin/bash
integration-test:
	$(TESTABLE)
	$(TESTS) --filter IntegrationTests 2>&1 | tee .build/integration.log; status=$${PIPESTATUS[0]}; \
		echo; echo 'The ten slowest tests:'; \
		sed -nE 's/^.*lab time ([0-9.]+) s, (.*)/\1 s  \2/p' .build/integration.log | \
			sort --general-numeric-sort --reverse | head --lines=10; \
		[ $$status = 0 ] || { echo; grep --after-context=4 '✘' .build/integration.log | cut --bytes=-600; }; \
		exit $$status

## The first deployment, beside the same by a hand-written script; then a small workload, beside the same by other tools.
bench: packages build
	DROVER_BENCHMARK=1 $(RELEASE_BUILD) --product drover-workload
	DROVER=$(DROVER) Benchmarks/first-deployment.sh
	DROVER=$(DROVER) Benchmarks/compare.sh

## A minute of libFuzzer on each reader, or on READER alone; it ends with an input that crashes one, or with none.
fuzz:
	DROVER_FUZZ=1 swift build --scratch-path .build-fuzz --product fuzzer -Xswiftc -sanitize=fuzzer
	for reader in $${READER:-$$(.build-fuzz/debug/fuzzer)}; do \
		.build-fuzz/debug/fuzzer $$reader -max_total_time=60 -max_len=2000 -timeout=10 -rss_limit_mb=4000 || exit; \
	done

format:
	swift format --in-place --recursive --parallel $(SOURCES)

lint:
	swift format lint --strict --recursive --parallel $(SOURCES)
	docs/scripts/vocabulary.py
	docs/scripts/links.py
	docs/scripts/summaries.py
	docs/scripts/examples.py names
	docs/scripts/diagrams.py --check
	docs/scripts/reference.py --check

DOCS = .build/docs
MKDOCS = $(DOCS)/venv/bin/mkdocs

## The documentation site, at .build/docs/site/index.html, and the API of the libraries, at api/documentation/libraries/ of it.
## It loads nothing from other servers.
docs: $(MKDOCS)
	NO_MKDOCS_2_WARNING=1 $(MKDOCS) build --quiet
	swift build --product Drover
	docs/scripts/api.py $(DOCS)/site/api
	docs/scripts/offline.py $(DOCS)/site

## The pages against the program: commands, options, code blocks.
docs-check: docs
	swift build --product drover
	docs/scripts/reference.py --check --drover .build/debug/drover
	$(DOCS)/venv/bin/python docs/scripts/blocks.py .build/debug/drover

## Writes the pages that come from the program and its sources.
docs-reference:
	swift build --product drover
	docs/scripts/reference.py --drover .build/debug/drover

## Runs the commands of docs/examples/scenario.txt on a lab, and puts what they print into the pages.
docs-examples: build
	docs/scripts/examples.py record $(DROVER) $(DOCS)/examples
	docs/scripts/examples.py write $(DOCS)/examples

## The diagrams, from their texts; needs graphviz.
docs-diagrams:
	docs/scripts/diagrams.py

$(MKDOCS): docs/requirements.txt
	python3 -m venv $(DOCS)/venv
	$(DOCS)/venv/bin/pip install --quiet --disable-pip-version-check --requirement docs/requirements.txt
	touch $@

## The program without its symbols, these apart, and all that belongs to it.
install: build
	sh packaging/install.sh $(DROVER) $(PREFIX)

## Packages for Debian, RPM and tarball of the commit, with a bill of materials: .build/package/VERSION/.
package: PACKAGES += dpkg-dev git lintian rpm
package: packages
	sh packaging/package.sh
	lintian --tag-display-limit=0 --fail-on=error,warning,info .build/package/*/*.deb

## Builds the packages in two folders, and compares their digests.
reproduce:
	sh packaging/reproduce.sh

## Installs the package on a bare Debian 12 and 13.
try-package: package
	for release in bookworm trixie; do sh packaging/try.sh .build/package/*/ $$release || exit; done

packages:
	@missing=; for package in $(PACKAGES); do \
		dpkg-query --show --showformat='$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] || { echo "Installing$$missing"; apt-get update && apt-get install --yes --no-install-recommends $$missing; }
