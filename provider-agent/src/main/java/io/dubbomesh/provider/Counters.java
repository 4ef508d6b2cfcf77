package io.dubbomesh.provider;

/** What one event loop has seen and is worth counting; written by the loop only. */
final class Counters {
    /** Calls that were sent to the provider. */
    long sent;
    /** Answers that were passed on. */
    long answered;
    /** Requests given back unexecuted, for whatever reason. */
    long notExecuted;
    /** Requests answered with a problem before they reached the provider. */
    long refused;
    /** Requests whose deadline had passed, or whose link was gone, before they reached the provider. */
    long expired;
    /** Answers of the provider to calls that are unknown or had ended. */
    long lateAnswers;
    /** Calls that the provider had still not answered long after any deadline. */
    long forgotten;
    /** Calls in flight when the provider's connection was lost. */
    long lost;
}
