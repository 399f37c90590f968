"""Files that the walk needs: a small real PDF, and pictures with few enough colours to be kept in the repository."""

import struct
import zlib
from pathlib import Path

from chromium import until, until_saved


def pdf(lines):
    """One page with these lines, as any viewer opens it."""
    shown = "".join(f"({line}) Tj 0 -24 Td " for line in lines)
    stream = f"BT /F1 16 Tf 72 760 Td {shown}ET".encode("ascii")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    content, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(content))
    return content + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + trailer


def saved_file(folder, pattern):
    """The file that a page saves in a folder, as soon as it is there as a whole."""
    file = until(lambda: next(Path(folder).glob(pattern), None), f"{pattern} to be saved")
    until_saved(file)
    return file


def shrink(path):
    """Gives a PNG picture a palette of at most 256 colours: pages have few, and shades between them do not matter."""
    width, height, pixels = _read(Path(path).read_bytes())
    counts = {}
    for pixel in pixels:
        counts[pixel] = counts.get(pixel, 0) + 1
    kept = sorted(counts, key=counts.get, reverse=True)[:256]
    place = {pixel: index for index, pixel in enumerate(kept)}
    for pixel in counts:
        if pixel not in place:
            r, g, b = pixel
            place[pixel] = min(range(len(kept)), key=lambda index: (kept[index][0] - r) ** 2
                               + (kept[index][1] - g) ** 2 + (kept[index][2] - b) ** 2)
    rows = b"".join(
        b"\0" + bytes(place[pixel] for pixel in pixels[start:start + width])
        for start in range(0, width * height, width))
    Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*each) for each in (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(bytes(colour) for colour in kept)), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))))


def _chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def _read(data):
    """Width, height and colours of a PNG picture with eight bits for red, green, blue and perhaps opacity."""
    at, content = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", body[:10])
        elif name == b"IDAT":
            content += body
        at += length + 12
    step = {2: 3, 6: 4}[kind]
    raw, length, before, pixels = zlib.decompress(content), width * step, bytearray(width * step), []
    for start in range(0, height * (length + 1), length + 1):
        line = _unfiltered(raw[start], bytearray(raw[start + 1:start + 1 + length]), before, step)
        pixels.extend(zip(line[0::step], line[1::step], line[2::step]))
        before = line
    return width, height, pixels


def _unfiltered(kind, line, before, step):
    if kind == 2:
        return bytearray((a + b) & 255 for a, b in zip(line, before))
    for index in range(len(line) if kind else 0):
        left, up = (line[index - step] if index >= step else 0), before[index]
        corner = before[index - step] if index >= step else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            whole = left + up - corner
            guess = min((left, up, corner), key=lambda each: abs(whole - each))
        line[index] = (line[index] + guess) & 255
    return line
