"""Tests that were collected once, in the process that forks the workers of pytest: each would take three seconds of processor time."""

import sys
from collections.abc import Iterator

import pytest
from _pytest import fixtures


class Collection:
    """The tests of a session that begins in the process that forks workers, for the session of each."""

    def __init__(self, config: pytest.Config) -> None:
        """Collect them. Raises what pytest raises."""
        config._do_configure()
        config.pluginmanager.unregister(name="terminalreporter")  # it would tell of them once more
        config.pluginmanager.register(self)
        self._reports: list[pytest.CollectReport] = []
        self._told = set[str]()
        self._session = pytest.Session.from_config(config)
        fixtures.pytest_sessionstart(self._session)
        config.hook.pytest_collection(session=self._session)
        for name, module in list(
            sys.modules.items()
        ):  # pytest leaves there what it could not import: a worker would take it for whole
            if getattr(module, "__file__", None) in self._told:
                del sys.modules[name]
        self._folders = config.pluginmanager._dirpath2confmods

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        """Keep what a worker has to tell: modules that are skipped."""
        report = yield
        if not report.passed:
            self._reports.append(report)
            self._told.add(str(collector.path))
        return report

    def give_to(self, session: pytest.Session) -> bool:
        """Give them to that session as if it had collected them, but for hooks that change its list of tests, which have seen it; False
        where it has to collect them, since something failed."""
        if any(report.failed for report in self._reports):
            return False
        config, given = session.config, self._session
        for folder in self._folders:  # the hooks of its conftest
            config.pluginmanager._loadconftestmodules(
                folder, config.getoption("importmode"), rootpath=config.rootpath, consider_namespace_packages=False
            )
        given._setupstate = session._setupstate
        given._fixturemanager.config = config
        for node in {node for item in given.items for node in item.listchain()}:
            node.config = config
        for report in self._reports:
            config.hook.pytest_collectreport(report=report)
        session.items = given.items
        session.testscollected = len(session.items)
        return True


COLLECTIONS: list[Collection] = []
"""What has been collected here for the workers to come."""
