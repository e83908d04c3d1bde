"""Columns of blocks, as Sources/Storage/BlockCodec.swift describes them."""

import random


def varint(number):
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(octets) + bytes([number])


def signed(number):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def differences(numbers, before, step):
    """Differences of differences."""
    for number in numbers:
        yield signed(number - before - step)
        before, step = number, number - before


def columns(readings):
    """Readings with seq, ms of the quarter, ordinal, flags and packet; the first seq is 1000."""
    seqs, times, ordinals, flags, packets = zip(*readings)
    raw = b"".join(differences(seqs, 999, 1)) + b"".join(differences(times, 0, 0))
    lengths = [len(packet) for packet in packets]
    raw += b"".join(signed(new - old) for old, new in zip([0, *lengths], lengths))
    raw += b"".join(map(varint, ordinals)) + bytes(flags)
    for place in range(max(lengths)):
        column = [packet[place] for packet in packets if len(packet) > place]
        if place % 2:
            column = [(new - old) % 256 for old, new in zip([0, *column], column)]
        raw += bytes([place % 2, *column])
    return len(readings).to_bytes(2, "little") + raw


def seeds():
    dice = random.Random(1)
    regular = [(1000 + n, 1000 * n, 0, 9, bytes([0, 97, 0, 60 + n % 3, 0])) for n in range(300)]
    wild = [
        (1000 + 3 * n, dice.randrange(900_000), dice.randrange(65_536), dice.randrange(256),
         dice.randbytes(dice.randrange(24)))
        for n in range(40)]
    long = [(1000, 0, 0, 0, bytes(512)), (1001, 899_999, 65_535, 255, b"")]
    return {columns(readings) for readings in (regular, regular[:1], regular[:4], wild, long)}
