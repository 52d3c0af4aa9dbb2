// A session of somebody at the shell.
const assert = require("node:assert/strict");
// Documents come from another realm, whose prototypes strict equality tells apart.
const same = (found, expected) => assert.equal(JSON.stringify(found), JSON.stringify(expected));
// The shell waits for the server inside its own functions only, not inside those of assert.
function refused(action, expected) {
  let message = "nothing was refused";
  try {
    action();
  } catch (e) {
    message = e.message;
  }
  assert.match(message, expected);
}
const shell = db.getSiblingDB("clients_shell");
shell.dropDatabase();

assert.equal(shell.people.insertOne({ _id: 1, name: "Ada", age: 36 }).acknowledged, true);
assert.equal(shell.people.updateOne({ _id: 1 }, { $inc: { age: 1 } }).modifiedCount, 1);
same(shell.people.find({ age: 37 }, { _id: 0 }).toArray(), [{ name: "Ada", age: 37 }]);
shell.people.createIndex({ name: 1 }, { unique: true });
refused(() => shell.people.insertOne({ name: "Ada" }), /E11000 duplicate key error/);
same(shell.people.getIndexes().map((each) => each.name), ["_id_", "name_1"]);
assert.equal(shell.people.find({ name: "Ada" }).explain().queryPlanner.winningPlan.inputStage.indexName, "name_1");

shell.numbers.insertMany(Array.from({ length: 10000 }, (_, i) => ({ _id: i, k: i % 10 })));
assert.equal(shell.numbers.find().toArray().length, 10000);
assert.equal(shell.numbers.countDocuments({ k: 3 }), 1000);
same(
  shell.numbers.aggregate([{ $group: { _id: "$k", n: { $sum: 1 } } }, { $sort: { _id: 1 } }, { $limit: 1 }]).toArray(),
  [{ _id: 0, n: 1000 }],
);

same(shell.getCollectionNames().sort(), ["numbers", "people"]);
assert.equal(Number(shell.stats().collections), 2);
assert.equal(Number(shell.people.stats().count), 1);
assert.equal(shell.people.validate({ full: true }).valid, true);
assert.ok(shell.serverStatus().connections.current >= 1);
assert.ok(db.adminCommand({ listDatabases: 1 }).databases.some((each) => each.name === "clients_shell"));
assert.equal(db.hello().isWritablePrimary, true);
assert.ok(db.currentOp().inprog.length >= 1);
refused(() => shell.runCommand({ noSuchCommand: 1 }), /no such command/);
shell.dropDatabase();
