#!/usr/bin/env python3
"""Takes the pictures of the documentation from a report.

usage: report_pictures.py REPORT.html FOLDER            FOLDER gets report-light.png, report-dark.png, report-phone.png
       report_pictures.py REPORT.html FOLDER NAME.png   FOLDER gets the head of the page alone
       report_pictures.py REPORT.html FOLDER tutorial   FOLDER gets tutorial-report.png and tutorial-pair.png
"""

import pathlib
import sys

import chromium

PICTURES = [  # name, width, height, dark?, what is done before
    ("report-light.png", 1200, 1180, False, "scrollTo(0, 0)"),
    ("report-dark.png", 1200, 960, True, "document.getElementById('removed').scrollIntoView()"),
    ("report-phone.png", 390, 844, False, "document.getElementById('borderline').scrollIntoView()"),
]

TUTORIAL = [
    ("tutorial-report.png", 1200, 860, False, "scrollTo(0, 0)"),
    ("tutorial-pair.png", 1200, 760, False, "document.getElementById('borderline').scrollIntoView()"),
]


def chosen(name):
    if name is None:
        return PICTURES
    return TUTORIAL if name == "tutorial" else [(name, 1200, 1180, False, "scrollTo(0, 0)")]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    report, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    pictures = chosen(sys.argv[3] if len(sys.argv) == 4 else None)
    path = chromium.find()
    if path is None:
        sys.exit("Chromium is missing; scripts/install-packages --browser installs it")
    with chromium.Browser(path) as browser:
        for name, width, height, dark, prepare in pictures:
            page = browser.open(report.resolve().as_uri(), width=width, height=height, dark=dark)
            page.run("(() => { const rows = document.querySelectorAll('#documents .toggle'); if (rows.length > 1) rows[0].click(); })()")
            page.run(prepare)
            page.screenshot(folder / name)
            if page.problems:
                sys.exit(f"{report}: {page.problems}")


if __name__ == "__main__":
    main()
