"""PNG files with fewer colours, which are several times smaller: standard library only."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def unfilter(raw, width, height, bytes_per_pixel):
    """The rows of an image without the filters of PNG."""
    stride, rows, before = width * bytes_per_pixel, [], bytearray(width * bytes_per_pixel)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left = row[i - bytes_per_pixel] if i >= bytes_per_pixel else 0
            up, corner = before[i], before[i - bytes_per_pixel] if i >= bytes_per_pixel else 0
            row[i] = (row[i] + predict(kind, left, up, corner)) & 255
        rows.append(bytes(row))
        before = row
    return rows


def predict(kind, left, up, corner):
    if kind == 1:
        return left
    if kind == 2:
        return up
    if kind == 3:
        return (left + up) // 2
    estimate = left + up - corner
    distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
    return (left, up, corner)[distances.index(min(distances))]


def read(path):
    """Width, height and the colours of the pixels as (r, g, b), row by row."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != SIGNATURE:
        raise ValueError(f"{path}: no PNG file")
    parts = list(chunks(data))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if depth != 8 or kind not in (2, 6) or interlaced:
        raise ValueError(f"{path}: expected eight bits of red, green and blue")
    size = 3 if kind == 2 else 4
    rows = unfilter(zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT")), width, height, size)
    return width, height, [tuple(row[i:i + 3]) for row in rows for i in range(0, len(row), size)]


def boxes_of(counts, most):
    """Median cut: colours in at most so many boxes, the box with the largest spread of pixels cut first."""
    def extent(box, k):
        return max(c[k] for c in box) - min(c[k] for c in box)

    def weighed(box):
        spread = max(extent(box, k) for k in range(3)) if len(box) > 1 else 0
        return spread * sum(counts[c] for c in box) ** 0.5, box

    boxes = [weighed(list(counts))]
    while len(boxes) < most:
        at = max(range(len(boxes)), key=lambda i: boxes[i][0])
        if len(boxes[at][1]) == 1:
            break
        largest = boxes.pop(at)[1]
        axis = max(range(3), key=lambda k: extent(largest, k))
        largest.sort(key=lambda c: c[axis])
        half, total, cut = sum(counts[c] for c in largest) / 2, 0, 0
        while cut < len(largest) - 1 and (total < half or cut == 0):
            total += counts[largest[cut]]
            cut += 1
        boxes += [weighed(largest[:cut]), weighed(largest[cut:])]
    return [box for _, box in boxes]


def fewer_colours(path, most):
    """Rewrites a picture with a palette of at most so many colours."""
    width, height, pixels = read(path)
    counts = {}
    for pixel in pixels:
        counts[pixel] = counts.get(pixel, 0) + 1
    palette, index = [], {}
    for box in boxes_of(counts, most):
        total = sum(counts[c] for c in box)
        # the background stays what it is
        common = max(box, key=lambda c: counts[c])
        mean = common if counts[common] > total / 2 else tuple(round(sum(c[k] * counts[c] for c in box) / total) for k in range(3))
        for c in box:
            index[c] = len(palette)
        palette.append(mean)
    flat = bytes(index[p] for p in pixels)
    rows = b"".join(b"\0" + flat[y * width:(y + 1) * width] for y in range(height))
    write(path, width, height, palette, rows)


def write(path, width, height, palette, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    with open(path, "wb") as file:
        file.write(SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
                   + chunk(b"PLTE", b"".join(bytes(c) for c in palette)) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))
