package io.dubbomesh.provider.call;

/** What has become of the requests of one event loop; written by the loop only. */
public final class CallCounters {
    /** Calls that were sent to the provider. */
    public long sent;
    /** Dubbo responses that were passed on. */
    public long answered;
    /** Requests given back unexecuted, for any reason. */
    public long notExecuted;
    /** Requests answered with a problem before they reached the provider. */
    public long refused;
    /** Requests whose deadline had passed, or whose link was gone, before they reached the provider. */
    public long expired;
    /** Dubbo responses to calls that are unknown or had ended. */
    public long lateResponses;
    /** Calls that the provider had still not answered long after any deadline. */
    public long forgotten;
    /** Calls in flight when the provider's connection was lost. */
    public long lost;

    CallCounters() {}
}
