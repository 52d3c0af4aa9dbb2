package dev.semel.query.script;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.Node;
import org.mozilla.javascript.Token;
import org.mozilla.javascript.ast.FunctionNode;
import org.mozilla.javascript.ast.Scope;
import org.mozilla.javascript.ast.ScriptNode;

/**
 * Changes the parsed code of a client so that what allocates memory is counted: {@code a + b} becomes a call of {@link Operators}, and
 * so does the value of each new object, array, function and property. The names of these functions contain a
 * space, so that the code of a client can neither call nor hide them.
 */
final class Rewriting {
    /** Calls of functions with more variables are counted. */
    private static final int UNCOUNTED_VARIABLES_MAX = 32;

    private Rewriting() {}

    static void rewrite(ScriptNode script) {
        rewriteChildren(script, script);
        int variables = variables(script);
        if (variables > UNCOUNTED_VARIABLES_MAX && script.getType() == Token.FUNCTION) {
            script.getLastChild().addChildToFront(statement(script, Operators.COUNT_VARIABLES, variables));
        }
        for (int i = 0; i < script.getFunctionCount(); i++) {
            rewrite(script.getFunctionNode(i));
        }
    }

    /** Those of a function and of its blocks. */
    private static int variables(Node node) {
        int variables = node instanceof Scope scope && scope.getSymbolTable() != null
                ? scope.getSymbolTable().size()
                : 0;
        for (Node child = node.getFirstChild(); child != null; child = child.getNext()) {
            variables += variables(child);
        }
        return variables;
    }

    private static void rewriteChildren(ScriptNode script, Node parent) {
        Node child = parent.getFirstChild();
        while (child != null) {
            Node next = child.getNext();
            rewriteChildren(script, child);
            Operators operator = operator(script, parent, child);
            if (operator != null) {
                replace(parent, child, operator);
            }
            if (child.getType() == Token.CATCH_SCOPE) {
                parent.addChildAfter(statement(child, Operators.COUNT_CAUGHT, 0), child);
            } else if (child.getType() == Token.FINALLY) {
                child.addChildToFront(statement(child, Operators.COUNT_CAUGHT, 0));
            }
            child = next;
        }
    }

    /** The operator that takes the place of the node, or gets its value; null for what allocates nothing. */
    private static @Nullable Operators operator(ScriptNode script, Node parent, Node node) {
        return switch (node.getType()) {
            case Token.ADD -> node.getFirstChild().getType() == Token.USE_STACK ? null : Operators.ADD;
            case Token.STRING_CONCAT -> Operators.CONCATENATE;
            case Token.SETPROP_OP, Token.SETELEM_OP ->
                node.getLastChild().getType() == Token.ADD ? Operators.ADD_TO_PROPERTY : Operators.COUNT_ELEMENT;
            case Token.SETPROP, Token.SETELEM -> Operators.COUNT_ELEMENT;
            case Token.YIELD, Token.YIELD_STAR -> throw new UnsupportedSyntax("a generator");
            case Token.OBJECTLIT, Token.NEW, Token.REGEXP -> Operators.COUNT_OBJECT;
            case Token.ARRAYLIT -> Operators.COUNT_ARRAY;
            case Token.DOTDOTDOT -> parent.getType() == Token.OBJECTLIT ? Operators.COPY_PROPERTIES : Operators.SPREAD;
            case Token.FUNCTION -> isExpression(script, parent, node) ? Operators.COUNT_OBJECT : null;
            case Token.BIGINT -> throw new UnsupportedSyntax("BigInt");
            default -> null;
        };
    }

    private static boolean isExpression(ScriptNode script, Node parent, Node node) {
        int type = script.getFunctionNode(node.getExistingIntProp(Node.FUNCTION_PROP))
                .getFunctionType();
        boolean isMethod =
                parent.getType() == Token.GET || parent.getType() == Token.SET || parent.getType() == Token.METHOD;
        return !isMethod && (type == FunctionNode.FUNCTION_EXPRESSION || type == FunctionNode.ARROW_FUNCTION);
    }

    /** A call of an operator with a number. */
    private static Node statement(Node near, Operators operator, int number) {
        Node call = new Node(Token.CALL, Node.newString(Token.NAME, operator.functionName()), Node.newNumber(number));
        call.setLineColumnNumber(near.getLineno(), near.getColumn());
        return new Node(Token.EXPR_VOID, call);
    }

    private static void replace(Node parent, Node node, Operators operator) {
        if (node.getType() == Token.DOTDOTDOT) {
            replace(node, node.getFirstChild(), operator);
            return;
        }
        Node call = new Node(Token.CALL, Node.newString(Token.NAME, operator.functionName()));
        call.setLineColumnNumber(node.getLineno(), node.getColumn());
        parent.replaceChild(node, call);
        for (Node argument : arguments(node, operator)) {
            call.addChildToBack(argument);
        }
    }

    private static List<Node> arguments(Node node, Operators operator) {
        return switch (operator) {
            case ADD, CONCATENATE -> children(node);
            case ADD_TO_PROPERTY -> {
                List<Node> parts = children(node);
                yield List.of(parts.get(0), parts.get(1), children(parts.get(2)).getLast());
            }
            case COUNT_OBJECT, COUNT_ARRAY, COUNT_ELEMENT, SPREAD, COPY_PROPERTIES -> List.of(node);
            case COUNT_CAUGHT, COUNT_VARIABLES -> throw new IllegalArgumentException(operator + " replaces nothing");
        };
    }

    /** Takes the children out of their parent. */
    private static List<Node> children(Node parent) {
        List<Node> children = new ArrayList<>();
        for (Node child = parent.getFirstChild(); child != null; child = parent.getFirstChild()) {
            parent.removeChild(child);
            children.add(child);
        }
        return children;
    }
}
