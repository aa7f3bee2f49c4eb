"""A real browser without a window: chromium or chrome and its driver, found on the PATH.

SUPPLE_BROWSER names another program, or is the word `required`: then a browser that is missing is
a failure, not a test that is passed over (CI sets it).
"""

from __future__ import annotations

import os
import shutil
import time

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--use-gl=angle"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--disable-sync", "--disable-dev-shm-usage", "--force-prefers-reduced-motion"),
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no network, whatever a page asks for
)


def programs():
    """Browser and driver, or why there are none."""
    given = os.environ.get("SUPPLE_BROWSER", "")
    names = NAMES if given in ("", "required") else (given,)
    browser = next((found for name in names if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    missing = [n for n, x in (("chromium", browser), ("chromedriver", driver)) if x is None]
    return browser, driver, f"there is no {' and no '.join(missing)} here" if missing else ""


def start(folder, width=1000, height=700):
    """A driver, or a test that is passed over with the reason."""
    browser, driver, why = programs()
    if why and os.environ.get("SUPPLE_BROWSER") == "required":
        pytest.fail(why)
    if why:
        pytest.skip(why)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={folder}", f"--window-size={width},{height}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=Service(driver))
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    found.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return found


class Page:
    """A page that is open: `js` runs a line in it, `app` is what the page keeps."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, path, hash="#still"):
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get(path.as_uri() + hash)
        self.wait("return document.documentElement.dataset.ready !== undefined")
        assert self.js("return document.documentElement.dataset.ready") == "yes", self.faults()
        return self

    def js(self, line, *arguments):
        return self.driver.execute_script(line, *arguments)

    def wait(self, line, tries=200):
        for _ in range(tries):
            if self.js(line):
                return
            time.sleep(0.05)
        raise AssertionError(f"never came true: {line}")

    def picture(self):
        """The canvas's pixels as the browser has drawn them."""
        return self.js(
            "supple.stage.dirty = true; supple.stage.draw();"
            "return document.getElementById('canvas').toDataURL()"
        )

    def click(self, id):
        self.driver.find_element("id", id).click()

    def key(self, keys):
        self.driver.find_element("id", "canvas").send_keys(keys)

    def faults(self):
        """What the console complains of."""
        log = self.driver.get_log("browser")
        return [x["message"] for x in log if x["level"] == "SEVERE" or "rror" in x["message"]]
