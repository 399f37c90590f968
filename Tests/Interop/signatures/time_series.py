"""Reads a signature of ISO/IEC 19794-7, first edition, as a record of bytes or as XML, and prints it as JSON.

usage: time_series.py FILE

Exit code 1, with the reason, if the file breaks a rule. It was written from public text, and knows nothing of our code:

  the record   ASN.1 of GOST R ISO/IEC 19794-7-2009, annex B: https://ajdocs.ru/gsp/27744/19 and /20 (order of channels,
               preambles, sizes, three octets of count). biosignin/bsi-core on GitHub (identifier, version, the reserved octet
               after the descriptions, numbers counted from their least value, exponents from -16). A C++ program of
               Fraunhofer SIT, which finds points and exponents at the same places.
  the XML      the example in the tests of signature_pad, which holds namespaces, version 2.0 and most names; a library made
               from signature_pad, whose service is idana-development.appspot.com (min and max, PenOrient and its parts, bits
               of the inclusion field); a Java class of @firma, es.gob.afirma (AverageChannelValue, StandardDeviationValue).

Numbers without a scale are the sensor's steps: Wacom's page "ISO pressure unit conversion to Newtons" says so.

Nothing public was found for this, so it is as docs/capture-formats.md says: the names XChannelDescription,
YChannelDescription, SChannel and SChannelDescription; that parts of the example may be left out (quality, velocity, vendor's
data); that X and Y are millimetres, T and DT seconds, AZ and EL degrees; that S is 1 while the tip touches.

Where sources differ: S has one octet (ASN.1; two in bsi-core). An exponent counts from -16 (both programs; the same type in
GOST R ISO/IEC 8825-6-2013 asks for two's complement). The bits of an inclusion field in XML are in the record's order (as in
idana's library; signature_pad and @firma have others).
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction

CHANNELS = ["X", "Y", "Z", "VX", "VY", "AX", "AY", "T", "DT", "F", "S", "TX", "TY", "AZ", "EL", "R"]
SIGNED = {"X", "Y", "VX", "VY", "AX", "AY", "TX", "TY"}
UNITS = {"X": "millimetre", "Y": "millimetre", "T": "second", "DT": "second", "AZ": "degree", "EL": "degree"}
SIG = "{http://standards.iso.org/iso-iec/19794/-7/ed-1/amd/1}"
CMN = "{http://standards.iso.org/iso-iec/19794/-1/ed-2/amd/2}"
DESCRIBED = {f"{name}ChannelDescription": [name] for name in ["X", "Y", "T", "DT", "F", "S"]}
DESCRIBED["PenTipOrientationChannelDescription"] = ["AZ", "EL"]
TOLD = {"ScalingValue": "scale", "MinChannelValue": "min", "MaxChannelValue": "max"}
TOLD |= {"AverageChannelValue": "mean", "StandardDeviationValue": "std"}
POINT = {f"{SIG}PenTipCoord/{CMN}X": "X", f"{SIG}PenTipCoord/{CMN}Y": "Y", f"{SIG}TimeChannel": "T"}
POINT |= {f"{SIG}DTChannel": "DT", f"{SIG}FChannel": "F", f"{SIG}SChannel": "S"}
POINT |= {f"{SIG}PenOrient/{SIG}PenAzimuth": "AZ", f"{SIG}PenOrient/{SIG}PenElevation": "EL"}
# What the example has in a representation, in its order.
ORDER = ["CaptureDateAndTime", "CaptureDevice", "InclusionField", "ChannelDescriptionList", "SamplePointList"]


class Refused(Exception):
    pass


def check(holds, words):
    if not holds:
        raise Refused(words)


def record(data):
    """The channels with what is told of them, and the points, of a record."""
    offset = 0

    def take(size):
        nonlocal offset
        offset += size
        check(offset <= len(data), f"it ends after {len(data)} bytes, in the middle")
        return data[offset - size : offset]

    number = lambda size: int.from_bytes(take(size), "big")
    check(take(4) == b"SDI\0", "not a signature: the format identifier is another one")
    check(take(4) == b" 10\0", "not the first edition: the version is another one")
    included = number(2)
    channels = {name: {} for index, name in enumerate(CHANNELS) if included & 0x8000 >> index}
    least = lambda name: -32768 if name in SIGNED else 0
    for name, told in channels.items():
        preamble = number(1)
        check(preamble & 0x01 == 0, f"{name}: the reserved bit of its preamble is set")
        check(preamble & 0x06 == 0, f"{name}: constant or without its linear part, which is not read here")
        if preamble & 0x80:
            value = number(2)
            told["scale"] = Fraction(2048 + value % 2048, 2048) * Fraction(2) ** (value // 2048 - 16)
        for bit, part in [(0x40, "min"), (0x20, "max"), (0x10, "mean")]:
            if preamble & bit:
                told[part] = number(2) + least(name)
        if preamble & 0x08:
            told["std"] = number(2)
    check(number(1) == 0, "the reserved octet after the descriptions is not 0")
    check(number(1) == 0, "extended data, which is not read here, or an unused bit of the body is set")
    count = number(3)
    size = sum(1 if name == "S" else 2 for name in channels)
    check(len(data) == offset + count * size, f"{len(data)} bytes, not {offset} and {count} points of {size}")
    return channels, [{name: number(1 if name == "S" else 2) + least(name) for name in channels} for _ in range(count)]


def whole(text, name):
    check(re.fullmatch("0|-?[1-9][0-9]*", text or ""), f"{name}: not a whole number")
    return int(text)


def xml(data):
    """The same of XML."""
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, LookupError) as error:
        raise Refused(f"not XML: {error}") from None
    check(root.tag == SIG + "SignatureSignTimeSeries", "not a signature: the root is another element")
    check(root.attrib == {CMN + "SchemaVersion": "1.0"}, "other attributes than the version 1.0 of the schema")
    for part in root.iter():
        check(part is root or not part.attrib, f"{part.tag} has attributes")
        between = [part.text] * bool(len(part)) + [inner.tail for inner in part]
        check(not "".join(text or "" for text in between).strip(), f"{part.tag} has text between its parts")
    check([part.tag for part in root] == [SIG + "Version", SIG + "RepresentationList"], "other parts than two")
    check([(part.tag, part.text) for part in root[0]] == [(CMN + "Major", "2"), (CMN + "Minor", "0")], "not version 2.0")
    check([part.tag for part in root[1]] == [SIG + "Representation"], "not one representation")
    check([part.tag for part in root[1][0]] == [SIG + name for name in ORDER], "a representation of other parts")
    date, device, inclusion, descriptions, points = root[1][0]
    check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?", date.text or ""), "not a date and time")
    names = [SIG + "DeviceID", CMN + "Organization", CMN + "Identifier", SIG + "DeviceTechnology"]
    check([part.tag for part in device.iter()][1:] == names, "a device of other parts")
    check(re.fullmatch("[0-9A-F]{4}", inclusion.text or ""), "the inclusion field is not two octets")
    included = int(inclusion.text, 16)
    channels = {name: {} for index, name in enumerate(CHANNELS) if included & 0x8000 >> index}
    for description in descriptions:
        for name in DESCRIBED.get(description.tag.removeprefix(SIG), [description.tag]):
            check(name in channels and not channels[name], f"{name}: described twice, or not included")
            for part in description:
                key = TOLD.get(part.tag.removeprefix(SIG))
                check(key and key not in channels[name] and not len(part), f"{name}: {part.tag} is not known, or twice")
                channels[name][key] = Fraction(part.text) if key == "scale" else whole(part.text, name)
    read = []
    for point in points:
        check(point.tag == SIG + "SamplePoint", f"{point.tag} in the list of points")
        leaves = [(part.tag, part) for part in point if not len(part)]
        leaves += [(f"{part.tag}/{inner.tag}", inner) for part in point for inner in part]
        check(all(path in POINT for path, _ in leaves), f"point {len(read)}: a channel that is not known")
        values = {POINT[path]: whole(part.text, POINT[path]) for path, part in leaves}
        check(len(values) == len(leaves) and set(values) == set(channels), f"point {len(read)}: other channels than included")
        read.append(values)
    return channels, read


def judged(form, channels, points):
    """What holds for both forms; then in units that have no fractions for what these forms can tell."""
    check({"X", "Y"} <= set(channels), "X or Y is missing")
    check(any("scale" in channels.get(name, {}) for name in ("T", "DT")), "no channel of time, or without a scale")
    check(points, "no points")
    for name, told in channels.items():
        low, high = (-32768, 32767) if name in SIGNED else (0, 255 if name == "S" else 65535)
        check(told.get("scale", 1) > 0, f"{name}: a scale that is not positive")
        check(told.get("min", low) <= told.get("max", high), f"{name}: the least value is above the largest")
        for index, point in enumerate(points):
            inside = max(low, told.get("min", low)) <= point[name] <= min(high, told.get("max", high))
            check(inside, f"point {index}: {name} is {point[name]}, outside its range")
    scale = {name: told.get("scale", Fraction(1)) for name, told in channels.items()}
    clock, samples = 0, []
    for index, point in enumerate(points):
        check("T" not in point or index == 0 or point["T"] >= points[index - 1]["T"], f"point {index}: time goes back")
        clock += point.get("DT", 0)
        time = point["T"] / scale["T"] if "T" in point else clock / scale.get("DT", 1)
        place = lambda name: point[name] / scale[name] * 10**6 if "scale" in channels[name] else point[name]
        values = {"time": time * 10**6, "x": place("X"), "y": place("Y"), "pressure": point.get("F"), "tip": point.get("S")}
        for name, channel in [("azimuth", "AZ"), ("elevation", "EL")]:
            values[name] = point[channel] / scale[channel] * 100 if channel in point else None
        samples.append({name: round(value) for name, value in values.items() if value is not None})
    described = [
        {"name": name, "unit": UNITS.get(name, "step") if "scale" in told else "step"}
        | {key: [value.numerator, value.denominator] if key == "scale" else value for key, value in told.items()}
        for name, told in channels.items()
    ]
    place = ["nanometre" if "scale" in channels[name] else "step" for name in ("X", "Y")]
    units = {"time": "microsecond", "x": place[0], "y": place[1], "angle": "centidegree"}
    return {"form": form, "channels": described, "units": units, "samples": samples}


try:
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    form = "xml" if content[:1] == b"<" else "record"
    print(json.dumps(judged(form, *(xml if form == "xml" else record)(content))))
except (Refused, ValueError) as error:
    sys.exit(f"refused: {error}")
