"""Line and bar charts as SVG, with nothing but Python: the bench runs where no plotting library is."""
from xml.sax.saxutils import escape

COLOURS = ("#0b5cad", "#c23b22", "#2a7f3f", "#8a4fb0", "#b8860b", "#00808a", "#7a4a2b", "#555555", "#d6338a", "#5a7d00",
           "#003f7f", "#999999")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 420, 62, 190, 34, 46


def _ticks(low, high):
    span = high - low or 1
    step = 10 ** len(str(int(span))) / 10 if span >= 1 else 1
    while span / step > 8:
        step *= 2
    while span / step < 4:
        step /= 2
    first = int(low / step) * step
    return [first + i * step for i in range(int(span / step) + 2) if low - 1e-9 <= first + i * step <= high + 1e-9]


def _frame(title, x_label, y_label, marks_x, marks_y, below=0):
    """`below`: room under the plot for labels that need more than a line."""
    plot_w, plot_h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + below}" font-family="sans-serif" '
             'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT + below}" fill="white"/>',
             f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">{escape(title)}</text>',
             f'<rect x="{LEFT}" y="{TOP}" width="{plot_w}" height="{plot_h}" fill="none" stroke="#888"/>',
             f'<text x="{LEFT + plot_w / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>',
             f'<text x="14" y="{TOP + plot_h / 2}" text-anchor="middle" '
             f'transform="rotate(-90 14 {TOP + plot_h / 2})">{escape(y_label)}</text>']
    for at, label in marks_x:
        parts.append(f'<text x="{at:.1f}" y="{TOP + plot_h + 16}" text-anchor="middle">{escape(label)}</text>')
    for at, label in marks_y:
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + plot_w}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{escape(label)}</text>')
    return parts, plot_w, plot_h


def _legend(parts, names):
    for i, name in enumerate(names):
        y = TOP + 8 + 18 * i
        parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{y}" width="12" height="4" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 30}" y="{y + 6}">{escape(name)}</text>')


def lines(path, title, x_label, y_label, series, y_from=None, y_to=None):
    """`series`: name -> [(x, y)]."""
    points = [point for line in series.values() for point in line]
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    y0 = min(p[1] for p in points) if y_from is None else y_from
    y1 = (max(p[1] for p in points) if y_to is None else y_to) or 1
    plot_w, plot_h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at_x(x):
        return LEFT + plot_w * (x - x0) / ((x1 - x0) or 1)

    def at_y(y):
        return TOP + plot_h * (1 - (min(max(y, y0), y1) - y0) / ((y1 - y0) or 1))

    parts, _, _ = _frame(title, x_label, y_label, [(at_x(x), f"{x:g}") for x in _ticks(x0, x1)],
                         [(at_y(y), f"{y:g}") for y in _ticks(y0, y1)])
    for i, line in enumerate(series.values()):
        colour = COLOURS[i % len(COLOURS)]
        path_points = " ".join(f"{at_x(x):.1f},{at_y(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{path_points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{at_x(x):.1f}" cy="{at_y(y):.1f}" r="2.5" fill="{colour}"/>' for x, y in line]
    _legend(parts, series)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def bars(path, title, y_label, groups, names):
    """`groups`: label -> [value for each of `names`], from 0 to 1."""
    plot_w, plot_h = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    each = plot_w / len(groups)
    parts, _, _ = _frame(title, "", y_label, [],
                         [(TOP + plot_h * (1 - y), f"{y:g}") for y in (0, .2, .4, .6, .8, 1)], below=50)
    for g, (label, values) in enumerate(groups.items()):
        width = each * .8 / len(names)
        for i, value in enumerate(values):
            x = LEFT + g * each + each * .1 + i * width
            parts.append(f'<rect x="{x:.1f}" y="{TOP + plot_h * (1 - value):.1f}" width="{width - 1:.1f}" '
                         f'height="{plot_h * value:.1f}" fill="{COLOURS[i % len(COLOURS)]}"/>')
        middle = LEFT + (g + .5) * each
        parts.append(f'<text x="{middle:.1f}" y="{TOP + plot_h + 14}" text-anchor="end" font-size="11" '
                     f'transform="rotate(-45 {middle:.1f} {TOP + plot_h + 14})">{escape(label)}</text>')
    _legend(parts, names)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
