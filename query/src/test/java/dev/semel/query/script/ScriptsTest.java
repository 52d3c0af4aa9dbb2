package dev.semel.query.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.Shorthand;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions of clients can compute, and cannot do harm: nothing that they run ends the server or stays behind. */
class ScriptsTest {
    private static final ScriptEngine ENGINE = Shorthand.scripts();

    private final MemoryPart memory = MemoryAccount.unlimited().part("queries", "", () -> Long.MAX_VALUE);
    private final Scripts scripts = ENGINE.open(memory, () -> {}, ms -> {});

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true) {}",
                "try { while (true) {} } catch (e) { return 1 } finally { while (true) {} }",
                "/(a+)+$/.test('a'.repeat(40) + 'b')",
            })
    void endlessFunctionStopsAfterItsInstructions(String code) {
        assertStopped(code, "ran more than 50000000 instructions");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var s = 'x'; while (true) s += s",
                "var o = {s: 'x'}; while (true) o.s += o.s",
                "var s = 'x'; while (true) s = `${s}${s}`",
                "'x'.repeat(1e9)",
                "'x'.padEnd(1e9)",
                "new Array(1e5).join('a text of some length, many times over')",
                "var big = 'x'.repeat(1e6); return big.replace(/x/g, big)",
                "var a = [1]; for (var i = 0; i < 40; i++) a = [a, a]; return JSON.stringify(a)",
                "var s = 'x'.repeat(1e6); return Array(2e5).fill({toString: function () { return s }}).join()",
                "var s = 'x'.repeat(1e6); return Array.prototype.join.call({length: 2e5, 0: s, 1: s, 2: s}, '')",
            })
    void stringsAreNotLongerThanAShareOfTheMemory(String code) {
        assertStopped(code, "made a string of more than 2097152 characters (bytesMax)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var a = []; while (true) a.push({})",
                "var a = []; while (true) a.push(Array(10000))",
                "new Array(1e9).fill(0)",
                "var o = {}; for (var i = 0; ; i++) o['k' + i] = {}",
                "var a = [1]; while (true) a = [...a, ...a]",
                "var m = new Set(); for (var i = 0; ; i++) m.add(i)",
                "var f; while (true) f = (function (g) { return function () { return g } })(f)",
                "var s = 'x'.repeat(1e6), o = {}; for (var i = 0; ; i++) o[s + i] = 1",
                "JSON.parse('[' + '[],'.repeat(4e5) + '0]')",
                "return Object.keys('a'.repeat(1e6))",
                "return {...'a'.repeat(1e6)}",
                "var vs = ''; while (true) { try { null.x } catch (e) { vs = e } }",
                "var a = [1]; for (var i = 0; i < 40; i++) a = [a, a]; return '' + a",
                "var n = []; n[4294967294] = 1; return [...n]",
                "var n = [], i = n.keys(); n.length = 4294967295; return Array.from(i)",
                "var n = [], i = n.keys(); n.length = 4294967295; return new Set(i)",
            })
    void memoryIsBounded(String code) {
        assertStopped(code, "allocated more than 33554432 bytes (bytesMax)");
    }

    @Test
    void compilingIsPartOfTheMemoryOfQueries() {
        MemoryPart little = MemoryAccount.unlimited().part("queries", "queryBytesTotalMax", () -> 40_000_000L);
        Scripts scripts = ENGINE.open(little, () -> {}, null);

        assertThatThrownBy(() -> scripts.check("function () {" + "var a=1;".repeat(500_000) + "}"))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ExceededMemoryLimit))
                .hasMessageContaining("queryBytesTotalMax");

        scripts.check("function () { return 1 }");
        assertThat(little.bytes()).isZero();
        assertThat(little.peakBytes()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[].indexOf.call({length: 1e15}, 1)",
                "Math.max.apply(null, {length: 1e9})",
                "var a = [1]; for (var i = 0; i < 40; i++) a = [a, a]; return a.flat(Infinity)",
            })
    void builtInFunctionsDoNotLoopForEver(String code) {
        assertStopped(code, "used a built-in function on more than 524288 elements (bytesMax)");
    }

    private void assertStopped(String code, String how) {
        assertThatThrownBy(() -> call(code))
                .hasMessage("JavaScript stopped: it " + how)
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.JSInterpreterFailure));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function f() { return f() }",
                "function g() { [1].forEach(g) }",
                "function f(n) { try { return f(n + 1) } finally { return f(n + 1) } } return f(0)",
                "function f() { try { f() } catch (e) { f() } } f()",
                "var a = []; for (var i = 0; i < 1e4; i++) a = [a]; return JSON.stringify(a)",
            })
    void depthIsBounded(String code) {
        assertThatThrownBy(() -> call(code)).isInstanceOf(CommandException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.System.exit(1)",
                "Packages.java.lang.System",
                "eval('1')",
                "Function('return 1')()",
                "(function () {}).constructor('return 1')()",
                "this.constructor.constructor('return 1')()",
                "Object.prototype.x = 1",
                "Array.prototype.push = null",
                "Object.defineProperty(Math, 'leak', {value: 1})",
                "Object.defineProperties(Math, {leak: {value: 1}})",
                "Object.setPrototypeOf(Array.prototype, {leak: 1})",
                "Object.freeze(Array.prototype)",
                "Object.prototype.__defineGetter__('leak', function () { return 1 })",
                "Array.prototype.push(1)",
                "Symbol.for('leak')",
                "String.raw({raw: {length: 1e9}})",
                "var a = [1]; for (var i = 0; i < 40; i++) a = [a, a]; return a.toSource()",
                "new Set().union({size: 1, has: function () {}, keys: function () { return {next: function () { return"
                        + " {} }} }})",
                "new Proxy({}, {})",
                "new ArrayBuffer(1e9)",
                "2n ** 64n",
                "Array.from({[Symbol.iterator]: function () { return {next: function () { return {} }} }})",
                "[...{[Symbol.iterator]: function () { return {next: function () { return {} }} }}]",
                "[].indexOf.call({get length() { return 1e15 }}, 1)",
            })
    void whatCannotBeBoundedIsNotThere(String code) {
        assertThatThrownBy(() -> call(code))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.JSInterpreterFailure));
    }

    @Test
    void nothingStaysFromOneCallToTheNext() {
        assertThat(call("leftover = 5; return leftover")).isEqualTo("5.0");
        assertThat(call("typeof leftover")).isEqualTo("\"undefined\"");
    }

    /** Also of those that no name leads to, such as the prototype of iterators and the functions of accessors. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "object.leak = 1",
                "Object.defineProperty(object, 'leak', {value: 1})",
                "object.__defineGetter__('leak', function () { return 1 })",
                "Object.setPrototypeOf(object, {leak: 1})",
            })
    void noObjectThatCallsShareCanBeChanged(String change) {
        assertThat(call("""
            var open = [Object.getPrototypeOf(this), [][Symbol.iterator](), ''[Symbol.iterator](),
                new Map()[Symbol.iterator](), new Set()[Symbol.iterator](), 'a'.matchAll(/a/g), function () {},
                /a/, new Date(), new Error(), ObjectId(), NumberLong(1), ISODate(),
                (function () { return arguments })(), (function () { 'use strict'; return arguments })()];
            var own = new Set(open.slice(1)), seen = new Set(open), changed = [], looked = 0, unlisted = [];
            function add(value) {
                if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
                if (!seen.has(value)) { seen.add(value); open.push(value) }
            }
            while (open.length > 0) {
                var object = open.pop();
                add(object.__proto__);
                if (own.has(object)) continue;
                looked++;
                try { CHANGE } catch (e) {}
                if (object.leak !== undefined) changed.push(String(object));
                Object.getOwnPropertyNames(object).concat(Object.getOwnPropertySymbols(object)).forEach(function (key) {
                    var property;
                    try { property = Object.getOwnPropertyDescriptor(object, key) } catch (e) { unlisted.push(String(key)); return }
                    add(property.value);
                    add(property.get);
                    add(property.set);
                });
            }
            return looked > 300 ? changed.concat(unlisted) : looked;
            """.replace("CHANGE", change))).isEqualTo("[]");
    }

    @Test
    void arraysBecomeTextsAsInTheLanguage() {
        assertThat(call("[1, null, [2, [undefined, 'x']], {}].join('-')")).isEqualTo("\"1--2,,x-[object Object]\"");
        assertThat(call("var a = [1]; a.push(a); return a + ''")).isEqualTo("\"1,\"");
        assertThat(call("Array.prototype.join.call({length: 2, 0: 'a', 1: 'b'}, '+')"))
                .isEqualTo("\"a+b\"");
        assertThat(call("[].join() + [undefined].toString() + [1.5, true].toLocaleString()"))
                .isEqualTo("\"1.5,true\"");
    }

    @Test
    void variablesOfNestedCallsAreCounted() {
        String variables = IntStream.range(0, 20_000).mapToObj(i -> "v" + i).collect(Collectors.joining(","));
        assertStopped(
                "function f(n) { var " + variables + "; return f(n + 1) } return f(0)",
                "allocated more than 33554432 bytes (bytesMax)");
    }

    @Test
    void memoryIsGivenBack() {
        call("var a = []; for (var i = 0; i < 1e4; i++) a.push({i: i}); return a.length");
        assertThat(memory.bytes()).isZero();
        assertThatThrownBy(() -> call("var a = []; while (true) a.push({})")).isInstanceOf(CommandException.class);
        assertThat(memory.bytes()).isZero();
    }

    @Test
    void commandThatEndsEndsItsFunctions() {
        AtomicInteger looks = new AtomicInteger();
        Scripts ending = ENGINE.open(
                memory,
                () -> {
                    if (looks.incrementAndGet() == 3) {
                        throw new CommandException(ErrorCode.MaxTimeMSExpired, "operation exceeded time limit");
                    }
                },
                null);
        assertThatThrownBy(() -> ending.call("try { while (true) {} } catch (e) {}", List.of()))
                .hasMessage("operation exceeded time limit");
        assertThat(looks).hasValueGreaterThanOrEqualTo(3);
    }

    /** 200 calls, each of which looks at 20,000 elements or characters. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "var a = new Array(20000).fill(1); for (var i = 0; i < 100; i++) { a.unshift(1); a.shift() }",
                "var a = new Array(20000).fill(1); for (var i = 0; i < 200; i++) a.indexOf(2)",
                "var s = 'x'.repeat(20000); for (var i = 0; i < 200; i++) s.lastIndexOf('y')"
            })
    void commandIsLookedAfterWhileBuiltInFunctionsWork(String code) {
        AtomicInteger looks = new AtomicInteger();
        ENGINE.open(memory, looks::incrementAndGet, null).call("function() { " + code + " }", List.of());
        assertThat(looks).hasValueGreaterThanOrEqualTo(50);
    }

    @Test
    void ordinaryFunctionsOfTheLanguageWork() {
        assertThat(call("[...'ab', ...[1, 2], ...new Set([3]), ...new Map([[4, 5]]), ...[6].keys()]"))
                .isEqualTo("[ \"a\", \"b\", 1.0, 2.0, 3.0, [ 4.0, 5.0 ], 0.0 ]");
        assertThat(call("Array.from({length: 2}, (x, i) => i).concat(Array.from('ab'), Array.from([7].values()))"))
                .isEqualTo("[ 0.0, 1.0, \"a\", \"b\", 7.0 ]");
        assertThat(call("var n = 0; for (var i = 0; i < 100; i++) { try { null.x } catch (e) { n++ } finally {"
                        + " n++ } } return n"))
                .isEqualTo("200.0");
        assertThat(call("var o = {length: {cm: 5}}, a = []; a.push(o); return Object.keys(o).concat([new"
                        + " Set([o]).has(o), o.hasOwnProperty('a'), a.indexOf(o)])"))
                .isEqualTo("[ \"length\", true, false, 0.0 ]");
        assertThat(call("function f(n) { return n === 0 ? 0 : 1 + f(n - 1) } return f(400)"))
                .isEqualTo("400.0");
        assertThat(call("[3, 1, 2].sort().map(x => x * 2).filter(x => x > 2).reduce((a, b) => a + b)"))
                .isEqualTo("10.0");
        assertThat(call("'a,b'.split(',').concat(['c']).join('-').toUpperCase()"))
                .isEqualTo("\"A-B-C\"");
        assertThat(call("'abc'.replace(/b(.)/, (all, c) => c + c)")).isEqualTo("\"acc\"");
        assertThat(call("Object.keys({b: 1, a: 2}).length + new Map([[1, 2]]).get(1)"))
                .isEqualTo("4.0");
        assertThat(call("Array.from(new Set([1, 1, 2]))")).isEqualTo("[ 1.0, 2.0 ]");
        assertThat(call("JSON.stringify(JSON.parse('{\"a\":[1,null,\"x\"]}'))"))
                .isEqualTo("\"{\\\"a\\\":[1,null,\\\"x\\\"]}\"");
        assertThat(call("JSON.stringify({a: [1], b: {}}, null, 1)"))
                .isEqualTo("\"{\\n \\\"a\\\": [\\n  1\\n ],\\n \\\"b\\\": {}\\n}\"");
        assertThat(call("const {a, b = 2} = {a: 1}; let s = `${a}${b}`; return s"))
                .isEqualTo("\"12\"");
        assertThat(call("[] instanceof Array && new Date(0) instanceof Date")).isEqualTo("true");
        assertThat(call("var s = ''; for (var i = 0; i < 1000; i++) s += i; return s.length"))
                .isEqualTo("2890.0");
    }

    @Test
    void mapFunctionEmits() {
        RawDocument document = Json.parse("{\"a\": 5, \"tags\": [\"x\", \"y\"]}");
        assertThat(scripts.emit(
                        "function () { for (var t of this.tags) emit(t, this.a); emit(undefined, 1) }", document))
                .extracting(each -> Shell.text(each.key()) + " " + Shell.text(each.value()))
                .containsExactly("\"x\" 5.0", "\"y\" 5.0", "null 1.0");
        assertThatThrownBy(() -> scripts.emit("emit(1)", document)).hasMessage("emit takes 2 args");
    }

    @Test
    void globalVariablesAreThoseOfTheCommand() {
        scripts.define(Json.parse("{\"factor\": 3}"));
        assertThat(call("factor * 2")).isEqualTo("6.0");
    }

    private String call(String code) {
        return Shell.text(scripts.call(code, List.<Value>of()));
    }
}
