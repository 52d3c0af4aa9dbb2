package dev.semel.cli;

import dev.semel.golden.example.ClientProgram;
import dev.semel.golden.example.JavaExample.Setting;

/** How an example of a page is tested. */
sealed interface ExampleWay {
    /** It is pasted, between what the reader has and what shows that it worked; that prints what is expected. */
    record Pasted(ClientProgram program, String before, String after, String expected) implements ExampleWay {
        @Override
        public String toString() {
            return "with " + program;
        }
    }

    /** It is pasted, and moves 10 from one account to another; both had 100. */
    record Transfer(ClientProgram program) implements ExampleWay {}

    /** It is pasted behind the one before, at the same prompt. */
    record Continued() implements ExampleWay {}

    /** Statements in Java are compiled and run; what is behind them throws if they have not done what they say. */
    record Run(Setting setting) implements ExampleWay {
        @Override
        public String toString() {
            return "run";
        }
    }

    /** Statements in Java are compiled. */
    record Compiled(Setting setting) implements ExampleWay {
        @Override
        public String toString() {
            return "compiled";
        }
    }

    /** A whole file in Java with a class of this name is compiled, and run if it has a main method. */
    record JavaFile(String name, boolean isProgram) implements ExampleWay {}

    /** Another test, a file from the root of the repository, has its lines as they stand on the page. */
    record Elsewhere(String test) implements ExampleWay {}

    /** For a reason. */
    record NotRun(String why) implements ExampleWay {}
}
