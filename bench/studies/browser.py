"""A real browser without a window: chromium or chrome and its driver, found on the PATH.

SUPPLE_BROWSER names another program. The word `required` makes a missing one a failure of the
tests, which else are passed over (CI sets it).
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from math import nan
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
REQUIRED = "required"
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"),
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no network, whatever a page asks for
)


class NoBrowserError(Exception):
    """What is missing."""


def programs() -> tuple[str, str]:
    """Browser and driver."""
    given = os.environ.get("SUPPLE_BROWSER", "")
    names = NAMES if given in ("", REQUIRED) else (given,)
    browser = next((found for name in names if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        missing = [n for n, x in (("chromium", browser), ("chromedriver", driver)) if x is None]
        raise NoBrowserError(f"there is no {' and no '.join(missing)} on the PATH")
    return browser, driver


class Page:
    """A browser with one page: `js` runs a line in it; `supple` is there what the page keeps."""

    def __init__(self, folder: Path, width: int = 1000, height: int = 700) -> None:
        browser, driver = programs()
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = browser
        for flag in (*FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver: Any = webdriver.Chrome(options=options, service=Service(driver))
        self.resize(width, height)

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def open(self, path: Path, still: bool = True) -> Page:
        """The page of a file, once it is ready."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(path.as_uri() + ("#still" if still else ""))
        self.wait("return document.documentElement.dataset.ready !== undefined")
        assert self.js("return document.documentElement.dataset.ready") == "yes", self.faults()
        return self

    def js(self, line: str, *arguments: Any) -> Any:
        return self.driver.execute_script(line, *arguments)

    def wait(self, line: str, tries: int = 300) -> None:
        for _ in range(tries):
            if self.js(line):
                return
            time.sleep(0.05)
        raise AssertionError(f"never came true: {line}")

    def picture(self) -> str:
        """The canvas's pixels as the browser draws them."""
        return str(
            self.js(
                "supple.stage.dirty = true; supple.stage.draw();"
                "return document.getElementById('canvas').toDataURL()"
            )
        )

    def slide(self, id: str, value: float) -> None:
        """Move a slider."""
        self.js(
            "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('input'))",
            *(id, value),
        )

    def click(self, id: str) -> None:
        self.driver.find_element("id", id).click()

    def key(self, keys: str) -> None:
        self.driver.find_element("id", "canvas").send_keys(keys)

    def faults(self) -> list[str]:
        """What the console complains of."""
        log = self.driver.get_log("browser")
        return [x["message"] for x in log if x["level"] == "SEVERE" or "rror" in x["message"]]

    def processor(self) -> float:
        """Seconds that the browser's processes have computed so far (Linux); NaN elsewhere."""
        parents, times = {}, {}
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError, ValueError):  # it has ended meanwhile
                words = stat.read_text().rpartition(")")[2].split()
                parents[int(stat.parent.name)] = int(words[1])
                times[int(stat.parent.name)] = int(words[11]) + int(words[12])
        root = self.driver.service.process.pid
        ours = [pid for pid in times if root in _line_of(pid, parents)]
        return sum(times[pid] for pid in ours) / os.sysconf("SC_CLK_TCK") if ours else nan

    def close(self) -> None:
        self.driver.quit()


def _line_of(pid: int, parents: dict[int, int]) -> set[int]:
    """A process and those it comes from."""
    out = set[int]()
    while pid in parents and pid not in out:
        out.add(pid)
        pid = parents[pid]
    return out | {pid}
