// A city guide through Mongoose: places are found by words and by distance, and their visits are summed over windows.
const assert = require("assert");
const mongoose = require("mongoose");
const data = require("./guide.json");

const point = { type: { type: String, enum: ["Point"], required: true }, coordinates: { type: [Number], required: true } };
const placeSchema = new mongoose.Schema({ _id: Number, name: String, about: String, location: point }, { autoIndex: false });
placeSchema.index({ name: "text", about: "text" }, { weights: { name: 5 }, name: "words" });
placeSchema.index({ location: "2dsphere" });
const visitSchema = new mongoose.Schema({ place: { type: Number, ref: "Place" }, day: Date, guests: Number }, { autoIndex: false });
visitSchema.index({ place: 1, day: 1 }, { unique: true });

const ids = (documents) => documents.map((each) => each._id);

async function main() {
    await mongoose.connect(process.argv[2], { dbName: "clients_mongoose", serverSelectionTimeoutMS: 5000 });
    await mongoose.connection.dropDatabase();
    const Place = mongoose.model("Place", placeSchema);
    const Visit = mongoose.model("Visit", visitSchema);
    await Place.createIndexes();
    await Visit.createIndexes();
    await Place.insertMany(data.places.map(({ at, ...rest }) => ({ ...rest, location: { type: "Point", coordinates: at } })));
    await Visit.insertMany(data.visits.map((each) => ({ ...each, day: new Date(each.day) })));
    assert.deepStrictEqual(await Place.diffIndexes(), { toDrop: [], toCreate: [] });

    // by words
    const score = { $meta: "textScore" };
    const coffee = await Place.find({ $text: { $search: "coffee" } }, { score }).sort({ score });
    assert.strictEqual(coffee[0]._id, 2);
    assert.deepStrictEqual(ids(coffee).sort(), [1, 2, 4]);
    assert.ok(coffee[0].get("score") > coffee[1].get("score"));
    assert.deepStrictEqual(ids(await Place.find({ $text: { $search: "coffee -tea" } }).sort("_id")), [1, 2]);
    assert.deepStrictEqual(ids(await Place.find({ $text: { $search: '"old mill"' } })), [2]);
    assert.deepStrictEqual(ids(await Place.find({ $text: { $search: "roasting" } })), [2]);
    assert.strictEqual(await Place.countDocuments({ $text: { $search: "garden museum" } }), 2);

    // by distance
    const harbour = { type: "Point", coordinates: [10.0, 53.54] };
    assert.deepStrictEqual(ids(await Place.find().where("location").near({ center: harbour, maxDistance: 3000, spherical: true })), [1, 4, 2]);
    const around = await Place.aggregate([{ $geoNear: { near: harbour, distanceField: "metres", maxDistance: 3000, query: { _id: { $ne: 1 } } } }]);
    assert.deepStrictEqual(ids(around), [4, 2]);
    assert.deepStrictEqual(around.map((each) => Math.round(each.metres / 100)), [13, 26]);
    const west = { type: "Polygon", coordinates: [[[9.8, 53.5], [9.995, 53.5], [9.995, 53.6], [9.8, 53.6], [9.8, 53.5]]] };
    assert.deepStrictEqual(ids(await Place.find().where("location").within().geometry(west).sort("_id")), [3, 4]);

    // over windows
    const sums = await Visit.aggregate([
        { $setWindowFields: { partitionBy: "$place", sortBy: { day: 1 }, output: {
            soFar: { $sum: "$guests", window: { documents: ["unbounded", "current"] } },
            twoDays: { $sum: "$guests", window: { range: [-1, 0], unit: "day" } },
            number: { $documentNumber: {} },
        } } },
        { $sort: { place: 1, day: 1 } },
    ]);
    assert.deepStrictEqual(sums.map((each) => [each.soFar, each.twoDays, each.number]),
        [[10, 10, 1], [30, 30, 2], [70, 40, 3], [5, 5, 1], [10, 10, 2], [18, 13, 3]]);
    const days = await Visit.aggregate()
        .append({ $densify: { field: "day", partitionByFields: ["place"], range: { step: 1, unit: "day", bounds: "full" } } })
        .append({ $fill: { partitionByFields: ["place"], sortBy: { day: 1 }, output: { guests: { method: "locf" } } } })
        .sort({ place: 1, day: 1 });
    assert.deepStrictEqual(days.map((each) => each.guests), [10, 20, 20, 40, 5, 5, 8, 8]);

    // A model is filled from another collection, and a change is refused by the unique index.
    const visit = await Visit.findOne({ guests: 8 }).populate("place");
    assert.strictEqual(visit.place.name, "Mill Roastery");
    await assert.rejects(Visit.create({ place: 1, day: new Date("2026-05-01"), guests: 1 }), { code: 11000 });
    await mongoose.connection.transaction(async (session) => {
        await Visit.updateOne({ guests: 8 }, { $inc: { guests: 1 } }, { session });
        await Place.updateOne({ _id: 2 }, { $set: { about: "Closed" } }, { session });
    });
    assert.strictEqual(await Visit.countDocuments({ guests: 9 }), 1);
    assert.deepStrictEqual(ids(await Place.find({ $text: { $search: "coffee" } }).sort("_id")), [1, 4]);
}

main().then(() => mongoose.disconnect(), (e) => { console.error(e); process.exit(1); });
