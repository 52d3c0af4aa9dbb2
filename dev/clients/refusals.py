"""What a server must refuse, by which code: commands, options, operators, stages, malformed messages."""
import socket
import struct
import sys
from urllib.parse import urlparse

import bson
import pymongo
from bson import Int64
from bson.son import SON
from pymongo.errors import OperationFailure

uri = sys.argv[1]
client = pymongo.MongoClient(uri, serverSelectionTimeoutMS=5000)
db = client["clients_refusals"]
client.drop_database(db.name)
db.c.insert_many({"_id": i, "a": i} for i in range(5))
admin = client.admin
wrong = []


def refused(code, naming, database, command, *args, **kwargs):
    shown = {command: args[0] if args else 1, **kwargs} if isinstance(command, str) else command
    try:
        found = database.command(command, *args, check=True, **kwargs)
        wrong.append(f"{shown}: accepted, answered {found}")
    except OperationFailure as e:
        if e.code != code:
            wrong.append(f"{shown}: expected {code}, found {e.code} {e.details}")
        elif naming not in str(e.details["errmsg"]):
            wrong.append(f"{shown}: does not name {naming}: {e.details['errmsg']}")
        if e.code and "codeName" not in e.details:
            wrong.append(f"{shown}: no codeName: {e.details}")


# commands nobody knows, and those that are known and not served
refused(59, "noSuchCommand", db, "noSuchCommand")
refused(59, "Find", db, "Find", "c")
for name in ["applyOps", "shardCollection", "getlasterror"]:
    refused(115, name, admin, name, 1)
for name in ["mapReduce", "reIndex", "compact", "planCacheClear"]:
    refused(73, "", admin, name, 1)
refused(13, "admin", db, "listDatabases")
for name in ["createSearchIndexes", "listSearchIndexes", "updateSearchIndex", "dropSearchIndex"]:
    refused(31082, "", db, name, "c")

# fields: unknown, missing, of the wrong type
refused(40415, "find.foo", db, "find", "c", foo=1)
refused(40415, "insert.foo", db, "insert", "c", documents=[{}], foo=1)
refused(40415, "foo", db, "update", "c", updates=[{"q": {}, "u": {"$set": {"a": 1}}, "foo": 1}])
refused(40415, "foo", db, "delete", "c", deletes=[{"q": {}, "limit": 1, "foo": 1}])
refused(40415, "foo", db, "aggregate", "c", pipeline=[], cursor={}, foo=1)
refused(40414, "documents", db, "insert", "c")
refused(40414, "updates", db, "update", "c")
refused(40414, "q", db, "update", "c", updates=[{"u": {}}])
refused(40414, "limit", db, "delete", "c", deletes=[{"q": {}}])
refused(14, "filter", db, "find", "c", filter=1)
refused(14, "skip", db, "find", "c", skip="x")
refused(16, "", db, "insert", "c", documents=[])
refused(73, "", db, "find", "")
refused(73, "", db, "insert", "a$b", documents=[{}])
refused(43, "", db, "getMore", Int64(12345), collection="c")
refused(26, "", db, "listIndexes", "absent")
refused(27, "", db, "dropIndexes", "c", index="absent")

# options that are wrong, and one that is not served
collation = {"locale": "nowhere"}
for command, value, options in [
    ("find", "c", {"collation": collation}),
    ("count", "c", {"collation": collation}),
    ("distinct", "c", {"key": "a", "collation": collation}),
    ("aggregate", "c", {"pipeline": [], "cursor": {}, "collation": collation}),
]:
    refused(2, "locale", db, command, value, **options)
refused(72, "size", db, "create", "new", capped=True)
refused(2, "locale", db, "create", "new", collation=collation)
refused(238, "columnstore", db, "createIndexes", "c", indexes=[{"key": {"a": "columnstore"}, "name": "x"}])
refused(67, "", db, "createIndexes", "c", indexes=[{"key": {"a": "text", "b": "2d"}, "name": "x"}])
refused(67, "", db, "createIndexes", "c", indexes=[{"key": {"a": "nosuch"}, "name": "x"}])
refused(197, "foo", db, "createIndexes", "c", indexes=[{"key": {"a": 1}, "name": "x", "foo": 1}])

# the query language
refused(2, "$foo", db, "find", "c", filter={"a": {"$foo": 1}})
refused(2, "$foo", db, "find", "c", filter={"$foo": 1})
refused(27, "$text", db, "find", "c", filter={"$text": {"$search": "x"}})
refused(27, "$text", db, "find", "absent", filter={"$text": {"$search": "x"}})
refused(291, "$geoNear", db, "find", "c", filter={"loc": {"$near": [0, 0]}})
refused(26, "absent", db, "aggregate", "absent", pipeline=[{"$geoNear": {"near": [0, 0], "distanceField": "d"}}], cursor={})
refused(2, "", db, "find", "c", filter={"loc": {"$geoWithin": {"$box": [[0, 0]]}}})
refused(2, "GeoJSON", db, "find", "c", filter={"loc": {"$geoIntersects": {"$geometry": {}}}})
refused(139, "", db, "find", "c", filter={"$where": "this is none"})
refused(9, "$foo", db, "findAndModify", "c", query={}, update={"$foo": {"a": 1}})
refused(40324, "$foo", db, "aggregate", "c", pipeline=[{"$foo": 1}], cursor={})
for stage in ["$lookup", "$facet", "$graphLookup", "$geoNear", "$setWindowFields"]:
    try:
        db.command("aggregate", "c", pipeline=[{stage: {}}], cursor={})
        wrong.append(f"{stage}: accepted")
    except OperationFailure as e:
        if stage not in e.details["errmsg"]:
            wrong.append(f"{stage}: not named: {e.details}")
for stage in ["$search", "$searchMeta", "$vectorSearch", "$listSearchIndexes"]:
    refused(31082, "", db, "aggregate", "c", pipeline=[{stage: {}}], cursor={})
refused(168, "$foo", db, "aggregate", "c", pipeline=[{"$project": {"x": {"$foo": 1}}}], cursor={})
refused(17276, "nope", db, "aggregate", "c", pipeline=[{"$project": {"x": "$$nope"}}], cursor={})
refused(15952, "$foo", db, "aggregate", "c", pipeline=[{"$group": {"_id": 1, "x": {"$foo": 1}}}], cursor={})
refused(9, "cursor", db, "aggregate", "c", pipeline=[])

# concerns, versions, sessions
refused(2, "level", db, "find", "c", readConcern={"level": "nosuch"})
refused(322, "", db, "ping", apiVersion="2")
refused(323, "", db, "collStats", "c", apiVersion="1", apiStrict=True)


def update(code, naming, modification, **options):
    found = db.command("update", "c", updates=[{"q": {"_id": 1}, "u": modification, **options}])
    errors = found.get("writeErrors")
    if not errors:
        wrong.append(f"update {modification}: accepted, answered {found}")
    elif errors[0]["code"] != code or naming not in errors[0]["errmsg"]:
        wrong.append(f"update {modification}: expected {code} naming {naming}, found {errors}")


update(9, "$foo", {"$foo": {"a": 1}})
update(40, "a", {"$set": {"a": 1}, "$inc": {"a": 1}})
update(66, "_id", {"$set": {"_id": 7}})
update(14, "b", {"$inc": {"a": "b"}})
update(28, "a", {"$set": {"a.b": 1}})
update(2, "'a'", {"$push": {"a": 1}})


# ---- the wire
def message(body, flags=0, opcode=2013, sections=None, length=None, checksum=b""):
    payload = struct.pack("<I", flags) + (sections if sections is not None else b"\0" + bson.encode(SON(body))) + checksum
    return struct.pack("<iiii", 16 + len(payload) if length is None else length, 7, 0, opcode) + payload


def exchange(data):
    """The answered document, or None if the server closed the connection."""
    target = urlparse(uri)
    with socket.create_connection((target.hostname, target.port or 27017), timeout=5) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while True:
            more = connection.recv(65536)
            if not more:
                break
            answer += more
    if not answer:
        return None
    return bson.decode(answer[21:]) if struct.unpack_from("<i", answer, 12)[0] == 2013 else bson.decode(answer[36:])


def wire(name, data, code):
    found = exchange(data)
    if (found is None) != (code is None) or (found is not None and found.get("code") != code):
        wrong.append(f"{name}: expected {'a closed connection' if code is None else code}, found {found}")


ping = [("ping", 1), ("$db", "admin")]
if exchange(message(ping)) != exchange(message(ping)) and not (exchange(message(ping)) or {}).get("ok") == 1:
    wrong.append("ping over a raw socket")
wire("unknown required flag", message(ping, flags=1 << 5), 223)
wire("wrong checksum", message(ping, flags=1, checksum=b"abcd"), 288)
wire("no $db", message([("ping", 1)]), 40571)
wire("length of 5", message(ping, length=5), None)
wire("length of 2 GB", message(ping, length=0x7FFFFFFF), None)
wire("truncated", message(ping)[:-4], None)
for opcode in [2001, 2002, 2006, 2007, 4711]:
    wire(f"opcode {opcode}", message(ping, opcode=opcode), None)
query = struct.pack("<i", 0) + b"db.c\0" + struct.pack("<ii", 0, 1) + bson.encode({"a": 1})
wire("OP_QUERY", struct.pack("<iiii", 16 + len(query), 1, 0, 2004) + query, 5739101)
lying = struct.pack("<iiB", 2013, 0x7FFFFFFF, 2) + b"xxxx"
wire("OP_COMPRESSED with a lying size", struct.pack("<iiii", 16 + len(lying), 1, 0, 2012) + lying, None)
if client.admin.command("ping")["ok"] != 1:
    wrong.append("the server does not answer any more")

client.drop_database(db.name)
for each in wrong:
    print(each)
sys.exit(1 if wrong else 0)
