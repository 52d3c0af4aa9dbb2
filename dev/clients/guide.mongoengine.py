"""A city guide through MongoEngine: places are found by words and by distance, and their visits are summed over windows."""
import datetime
import json
import os
import sys

import mongoengine as me


def equal(found, expected):
    if found != expected:
        raise SystemExit(f"expected {expected!r}, found {found!r}")


class Place(me.Document):
    number = me.IntField(primary_key=True)
    name = me.StringField(required=True)
    about = me.StringField()
    location = me.PointField()
    meta = {"indexes": [{"fields": ["$name", "$about"], "weights": {"name": 5, "about": 1}}, [("location", "2dsphere")]],
            "auto_create_index": False}


class Visit(me.Document):
    place = me.ReferenceField(Place)
    day = me.DateTimeField(unique_with="place")
    guests = me.IntField(min_value=0)


def numbers(places):
    return [each.number for each in places]


me.connect("clients_mongoengine", host=sys.argv[1], uuidRepresentation="standard", serverSelectionTimeoutMS=5000)
me.connection.get_connection().drop_database("clients_mongoengine")
Place.ensure_indexes()
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "guide.json")) as file:
    data = json.load(file)
for each in data["places"]:
    Place(number=each["_id"], name=each["name"], about=each["about"], location=each["at"]).save()
for each in data["visits"]:
    Visit(place=each["place"], day=datetime.datetime.fromisoformat(each["day"]), guests=each["guests"]).save()
equal(Place.objects.count(), 4)

# by words
coffee = Place.objects.search_text("coffee").order_by("$text_score")
equal(coffee.first().number, 2)
equal(sorted(numbers(coffee)), [1, 2, 4])
equal(numbers(Place.objects.search_text("coffee -tea").order_by("number")), [1, 2])
equal(numbers(Place.objects.search_text('"old mill"')), [2])
equal(numbers(Place.objects(name__contains="Mill").search_text("coffee")), [2])

# by distance
harbour = {"type": "Point", "coordinates": [10.0, 53.54]}
equal(numbers(Place.objects(location__near=harbour, location__max_distance=3000)), [1, 4, 2])
equal(numbers(Place.objects(location__near=harbour, location__min_distance=1000, location__max_distance=3000)), [4, 2])
west = [[[9.8, 53.5], [9.995, 53.5], [9.995, 53.6], [9.8, 53.6], [9.8, 53.5]]]
equal(numbers(Place.objects(location__geo_within=west).order_by("number")), [3, 4])
equal(numbers(Place.objects(location__geo_within_sphere=[(10.0, 53.54), 2 / 6378.1]).order_by("number")), [1, 4])
nearest = Place.objects.aggregate([{"$geoNear": {"near": harbour, "distanceField": "metres", "query": {"_id": {"$ne": 1}}}}])
equal([(each["_id"], round(each["metres"] / 100)) for each in nearest], [(4, 13), (2, 26), (3, 95)])

# over windows
sums = Visit.objects.aggregate([
    {"$setWindowFields": {"partitionBy": "$place", "sortBy": {"day": 1}, "output": {
        "soFar": {"$sum": "$guests", "window": {"documents": ["unbounded", "current"]}},
        "twoDays": {"$sum": "$guests", "window": {"range": [-1, 0], "unit": "day"}},
        "rank": {"$denseRank": {}}}}},
    {"$sort": {"place": 1, "day": 1}}])
equal([(each["soFar"], each["twoDays"], each["rank"]) for each in sums],
      [(10, 10, 1), (30, 30, 2), (70, 40, 3), (5, 5, 1), (10, 10, 2), (18, 13, 3)])
days = Visit.objects.aggregate([
    {"$densify": {"field": "day", "partitionByFields": ["place"], "range": {"step": 1, "unit": "day", "bounds": "full"}}},
    {"$fill": {"partitionByFields": ["place"], "sortBy": {"day": 1}, "output": {"guests": {"method": "locf"}}}},
    {"$sort": {"place": 1, "day": 1}}])
equal([each["guests"] for each in days], [10, 20, 20, 40, 5, 5, 8, 8])

# The library's own ways: references, atomic updates, sums, JavaScript, and a unique index that refuses.
equal(Visit.objects(guests=8).first().place.name, "Mill Roastery")
equal(Visit.objects(guests__gte=20).update(inc__guests=1), 2)
equal(Visit.objects.sum("guests"), 90)
equal(Visit.objects.average("guests"), 15)
equal(Visit.objects.item_frequencies("guests", map_reduce=True), {10: 1, 21: 1, 41: 1, 5: 2, 8: 1})
try:
    Visit(place=1, day=datetime.datetime(2026, 5, 1), guests=1).save()
    raise SystemExit("expected a duplicate key, nothing was refused")
except me.NotUniqueError:
    pass
