#!/usr/bin/env python3
"""Takes the kernel out of the compressed image that Debian ships.

usage: extract_vmlinux.py BZIMAGE VMLINUX
"""
import lzma
import subprocess
import sys
import zlib


def zstd(octets):
    """What a zstd frame holds that is followed by other octets."""
    return subprocess.run(["zstd", "-dcq"], input=octets, capture_output=True).stdout


FORMATS = {
    b"\xfd7zXZ\0": lambda octets: lzma.LZMADecompressor().decompress(octets),
    b"\x28\xb5\x2f\xfd": zstd,
    b"\x1f\x8b\x08": lambda octets: zlib.decompressobj(31).decompress(octets),
}


def payloads(image):
    """What follows each mark of a compression that is found."""
    for mark, decompress in FORMATS.items():
        place = image.find(mark)
        while place >= 0:
            try:
                yield decompress(image[place:])
            except (lzma.LZMAError, zlib.error):
                pass
            place = image.find(mark, place + 1)


def main():
    """Writes the first payload that is a program."""
    with open(sys.argv[1], "rb") as file:
        image = file.read()
    for payload in payloads(image):
        if payload.startswith(b"\x7fELF"):
            with open(sys.argv[2], "wb") as file:
                file.write(payload)
            return
    sys.exit(f"{sys.argv[1]}: no kernel found")


if __name__ == "__main__":
    main()
