package dev.semel.driver.setting;

/** How much an explanation contains: the plan, its execution, or the execution of all plans that were tried. */
public enum ExplainVerbosity {
    QUERY_PLANNER("queryPlanner"),
    EXECUTION_STATS("executionStats"),
    ALL_PLANS_EXECUTIONS("allPlansExecution");

    private final String label;

    ExplainVerbosity(String label) {
        this.label = label;
    }

    /** The value in the command. */
    public String label() {
        return label;
    }
}
