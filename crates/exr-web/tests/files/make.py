"""Makes the files of the tests by the library of the OpenEXR project: pip install OpenEXR numpy; python make.py"""

import os
import numpy as np
import OpenEXR

W, H = 24, 12
OUT = os.path.dirname(os.path.abspath(__file__))


def pixels(width=W, height=H, left=0, top=0):
    x = np.arange(left, left + width)[None, :] + np.zeros((height, 1))
    y = np.arange(top, top + height)[:, None] + np.zeros((1, width))
    return np.stack([2 ** ((x - 12) / 2), (y + 1) / 8, x * y / 64 + 0.125], axis=-1)


def write(name, colors, header=None, planes=None):
    header = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage} | (header or {})
    planes = planes or {"RGB": colors}
    OpenEXR.File(header, planes).write(os.path.join(OUT, name + ".exr"))


HALF, FLOAT = pixels().astype(np.float16), pixels().astype(np.float32)
for name in ["NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB", "HTJ2K256"]:
    compression = getattr(OpenEXR, name + "_COMPRESSION", None)
    if compression is not None:
        write(f"half-{name.lower()}", HALF, {"compression": compression})
for name in ["NO", "ZIP", "PIZ", "PXR24"]:
    write(f"float-{name.lower()}", FLOAT, {"compression": getattr(OpenEXR, name + "_COMPRESSION")})
write("alpha", np.concatenate([HALF, np.ones((H, W, 1), np.float16)], axis=-1), planes={"RGBA": np.concatenate([HALF, np.ones((H, W, 1), np.float16)], axis=-1)})
write("decreasing", HALF, {"lineOrder": OpenEXR.DECREASING_Y})
write("luminance", None, planes={"Y": FLOAT[..., 1].copy()})
write("layer", None, planes={f"Sky.{c}": HALF[..., i].copy() for i, c in enumerate("RGB")} | {"Z": FLOAT[..., 0].copy()})
window = lambda x0, y0, x1, y1: (np.array([x0, y0], np.int32), np.array([x1, y1], np.int32))
write("window", pixels(10, 6, 8, 3).astype(np.float16), {"dataWindow": window(8, 3, 17, 8), "displayWindow": window(0, 0, W - 1, H - 1)})
write("overscan", pixels(W + 4, H + 4, -2, -2).astype(np.float16), {"dataWindow": window(-2, -2, W + 1, H + 1), "displayWindow": window(0, 0, W - 1, H - 1)})
for name, mode in [("tiled", OpenEXR.ONE_LEVEL), ("mipmaps", OpenEXR.MIPMAP_LEVELS)]:
    try:
        tiles = OpenEXR.TileDescription()
        tiles.xSize, tiles.ySize, tiles.mode = 8, 8, mode
        write(name, HALF, {"type": OpenEXR.tiledimage, "tiles": tiles})
    except Exception as error:
        print(name, error)
write("depth", None, planes={"Z": FLOAT[..., 0].copy(), "A": FLOAT[..., 1].copy()})
parts = [OpenEXR.Part({"name": n, "type": OpenEXR.scanlineimage, "compression": OpenEXR.ZIP_COMPRESSION}, p, n) for n, p in [("depth", {"Z": FLOAT[..., 0].copy()}), ("colors", {"RGB": HALF})]]
OpenEXR.File(parts).write(os.path.join(OUT, "parts.exr"))
write("cube", np.zeros((12, 2, 3), np.float16), {"envmap": OpenEXR.ENVMAP_CUBE})
