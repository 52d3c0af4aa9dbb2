package dev.semel.query.script;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.IRFactory;
import org.mozilla.javascript.Interpreter;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.Script;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.AstRoot;
import org.mozilla.javascript.ast.ExpressionStatement;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.ParenthesizedExpression;
import org.mozilla.javascript.ast.ScriptNode;

/**
 * The text of a client's function. MongoDB takes a function, {@code function() { return this.a > 1 }}, an expression,
 * {@code this.a > 1}, or the body of a function, {@code var x = 1; return this.a > x}.
 */
final class ScriptSource {
    private static final String NAME = "";

    /** The most that a word or a sign of the text takes as nodes of the parser and instructions, measured with arrow functions. */
    private static final long TREE_BYTES_PER_TOKEN = 400;

    private ScriptSource() {}

    /** What compiling takes at most. Words in strings and comments count too: to tell them apart would be parsing. */
    static long treeBytes(String text) {
        long tokens = 0;
        boolean isInWord = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isWord = Character.isJavaIdentifierPart(c);
            if (isWord ? !isInWord : !Character.isWhitespace(c)) {
                tokens++;
            }
            isInWord = isWord;
        }
        return tokens * TREE_BYTES_PER_TOKEN + text.length() * 4L;
    }

    /** A script whose value is the function. */
    static Script compile(Context context, String text) {
        try {
            return compileRewritten(context, asFunction(context, withoutEnd(text)));
        } catch (EvaluatorException e) {
            throw failure("SyntaxError: " + e.details());
        } catch (UnsupportedSyntax e) {
            throw failure("SyntaxError: %s is not supported".formatted(e.getMessage()));
        } catch (StackOverflowError e) {
            throw failure("SyntaxError: the code is nested too deeply");
        }
    }

    private static CommandException failure(String message) {
        return new CommandException(ErrorCode.JSInterpreterFailure, "%s", message);
    }

    private static String withoutEnd(String text) {
        int end = text.length();
        while (end > 0 && (Character.isWhitespace(text.charAt(end - 1)) || text.charAt(end - 1) == ';')) {
            end--;
        }
        return text.substring(0, end);
    }

    // The end of the line ends a comment that the text may end with.
    private static String asFunction(Context context, String text) {
        String inParentheses = "(" + text + "\n)";
        AstNode expression = expression(context, inParentheses);
        if (expression instanceof FunctionNode) {
            return inParentheses;
        }
        return expression == null ? "(function () {" + text + "\n})" : "(function () { return (" + text + "\n); })";
    }

    /** What the parentheses hold; null if that is no expression. */
    private static @Nullable AstNode expression(Context context, String text) {
        AstRoot root;
        try {
            root = parse(context, text);
        } catch (EvaluatorException e) {
            return null;
        }
        Node only = root.getFirstChild();
        if (only == null || only.getNext() != null || !(only instanceof ExpressionStatement statement)) {
            return null;
        }
        AstNode expression = statement.getExpression();
        while (expression instanceof ParenthesizedExpression parenthesized) {
            expression = parenthesized.getExpression();
        }
        return expression;
    }

    private static AstRoot parse(Context context, String text) {
        CompilerEnvirons environs = environs(context);
        return new Parser(environs, environs.getErrorReporter()).parse(text, NAME, 1);
    }

    private static CompilerEnvirons environs(Context context) {
        CompilerEnvirons environs = new CompilerEnvirons();
        environs.initFromContext(context);
        return environs;
    }

    private static Script compileRewritten(Context context, String text) {
        CompilerEnvirons environs = environs(context);
        AstRoot root = new Parser(environs, environs.getErrorReporter()).parse(text, NAME, 1);
        ScriptNode tree = new IRFactory(environs, NAME, text, environs.getErrorReporter()).transformTree(root);
        Rewriting.rewrite(tree);
        Interpreter interpreter = new Interpreter();
        return interpreter.createScriptObject(interpreter.compile(environs, tree, text, false), null);
    }
}
