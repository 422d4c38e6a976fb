"""Looks at the site that `cargo xtask docs` has built: site_check.py SITE PICTURE.png

Every relative link leads to a file, every anchor to an element; headless Chromium loads every picture, and draws the gallery.
"""

import html.parser
import pathlib
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--allow-file-access-from-files", "--virtual-time-budget=20000"]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.pictures, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(a for a in (attributes.get("id"), attributes.get("name")) if a)
        if tag == "img" and attributes.get("src"):
            self.pictures.append(attributes["src"])
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.append(attributes[name])


def dead(site):
    """Links that lead nowhere, and how many there are in all; the pictures."""
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in site.rglob("*.html") if p.name != "404.html"}
    found, links, pictures = [], 0, set()
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                found.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and target in pages and parts.fragment not in ("__top", "__comments"):
                if urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                    found.append(f"{path.relative_to(site)}: no #{parts.fragment} in {target.relative_to(site)}")
        pictures.update((path.parent / urllib.parse.unquote(p)).resolve() for p in page.pictures if "://" not in p)
    return found, links, pictures


def chromium(*arguments):
    with tempfile.TemporaryDirectory() as user:
        command = [*CHROMIUM, f"--user-data-dir={user}", *arguments]
        return subprocess.run(command, check=True, timeout=100, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


def loaded(pictures):
    """Those that the browser cannot show."""
    page = "<body><script>const all = %r;\nlet open = all.length;\nfor (const url of all) {\n const image = new Image();\n" \
           " const done = (bad) => { if (bad) { const p = document.createElement('p'); p.className = 'bad';" \
           " p.textContent = url; document.body.append(p); }\n" \
           "  if (--open === 0) document.body.append('all looked at'); };\n" \
           " image.onload = () => done(image.naturalWidth < 2); image.onerror = () => done(true); image.src = url; }\n" \
           "</script></body>" % [p.as_uri() for p in sorted(pictures)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "pictures.html")
        file.write_text(page, encoding="utf-8")
        dom = chromium("--dump-dom", file.as_uri())
    if "all looked at</body>" not in dom.replace("\n", ""):
        raise SystemExit(f"the browser did not look at all pictures: {dom[-500:]}")
    return [line.split("<")[0] for line in dom.split('<p class="bad">')[1:]]


def colors(file):
    """Colours of a PNG of 8 bits a channel, and the share of the most frequent one."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    step = {2: 3, 6: 4}[color]
    raw, row, counts = zlib.decompress(packed), bytearray(width * step), {}
    for y in range(height):
        begin = y * (width * step + 1)
        how, line = raw[begin], bytearray(raw[begin + 1:begin + 1 + width * step])
        for i in range(len(line)):
            left = line[i - step] if i >= step else 0
            up, corner = row[i], row[i - step] if i >= step else 0
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, up, (left + up) // 2, paeth)[how]) & 255
        row = line
        for x in range(0, len(line), step):
            pixel = bytes(line[x:x + 3])
            counts[pixel] = counts.get(pixel, 0) + 1
    return len(counts), max(counts.values()) / (width * height)


def main(site, picture):
    site = pathlib.Path(site).resolve()
    found, links, pictures = dead(site)
    if found:
        raise SystemExit("dead links:\n" + "\n".join(found))
    if links < 1000 or len(pictures) < 40:
        raise SystemExit(f"only {links} links and {len(pictures)} pictures were found")
    missing = loaded(pictures)
    if missing:
        raise SystemExit("pictures that the browser cannot show:\n" + "\n".join(missing))
    chromium(f"--screenshot={picture}", "--window-size=1000,700", "--hide-scrollbars", (site / "gallery.html").as_uri())
    count, most = colors(pathlib.Path(picture))
    if count < 2000 or most > 0.95:
        raise SystemExit(f"{picture}: {count} colours, {100 * most:.0f} % of it one of them: the page is not drawn")
    print(f"  {links} links and {len(pictures)} pictures, none of them dead; the gallery as it is drawn has {count} colours")


main(*sys.argv[1:])
