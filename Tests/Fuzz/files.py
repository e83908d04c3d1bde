"""Files of other programs, as docs/IMPORT.md names them."""

import io
import zipfile

LINES = [
    '{"class":"sample","type":"oxygenSaturation","start":"2026-10-24T12:00:00.000+02:00","value":97.0,'
    '"unit":"%","device":"Nonin","subject":"anna","site":"finger","modality":"fast","quality":"demo",'
    '"status":["low_perfusion"],"ambiguous":true}',
    '{"type":"temp","start":"2026-10-24T12:00:00Z","end":"2026-10-24T12:01:00Z","value":36.40}',
    '{"type":"spo2","start":"2026-10-24T12:00:00Z","value":0.97,"unit":"fraction"}',
    '{"type":"hr","start":"2026-10-24T12:00:00Z","value":null,"absent":"NaN"}',
    '{"type":"steps","start":"2026-10-24T12:00:00Z","value":1200}',
    '{"class":"device","device":"Nonin","name":"N","manufacturer":"M","model":"3230","serial":"1"}',
    "# a remark",
]
TABLES = [
    "type,start,value,unit,device\nhr,2026-10-24T12:00:00Z,71.0,bpm,Polar\n",
    "\ufeffstart;end;type;value;subject;site;modality;quality\r\n"
    '2026-10-24 12:00;2026-10-24 12:01;temp;36.4;"a, ""b""\n c";ear;final;ok\r\n',
    "value\ttype\tstart\n97\tspo2\t2026-10-24 12:00:00 +0900\n\tspo2\t2026-10-25 02:30\n",
]
DOCTYPE = "<!DOCTYPE HealthData [\n<!-- 12 -->\n<!ELEMENT HealthData (Record|Me)*>\n" \
    "<!ATTLIST WorkoutEvent\n duration CDATA <!ATTLIST\n]>\n"
RECORDS = "".join(
    f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="Watch" unit="{unit}" '
    f'device="&lt;&lt;HKDevice: 0x281&gt;, name:Watch, model:W6,4&gt;" value="{value}" '
    'creationDate="2021-01-02 10:00:00 +0900" startDate="2021-01-02 10:00:00 +0900" '
    'endDate="2021-01-02 10:00:30 +0900"/>\n'
    for kind, unit, value in [
        ("OxygenSaturation", "%", "0.97"), ("HeartRate", "count/min", "71"),
        ("BodyTemperature", "degC", "36.4"), ("StepCount", "count", "12"),
        ("DietaryWater", "mL", "200")])


def health(doctype):
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{doctype}<HealthData locale="ja_JP">\n'
        f'<Me a="b"/>\n{RECORDS}<Correlation type="x">\n{RECORDS}</Correlation>\n'
        "<Workout><![CDATA[x]]></Workout></HealthData>\n").encode()


def archive(kind, is_zip64):
    octets = io.BytesIO()
    with zipfile.ZipFile(octets, "w", kind) as file:
        for name, content in ("export_cda.xml", b"<a/>"), ("export.xml", health(DOCTYPE)):
            with file.open(f"apple_health_export/{name}", "w", force_zip64=is_zip64) as entry:
                entry.write(content)
    return octets.getvalue()


def lines():
    return {line.encode() for line in LINES}


def tables():
    return {table.encode() for table in TABLES} | {"\n".join(LINES).encode()}


def documents():
    return {health(DOCTYPE), health(""), health("<!DOCTYPE HealthData>")}


def archives():
    kinds = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
    return {archive(kind, is_zip64) for kind in kinds for is_zip64 in (False, True)}
