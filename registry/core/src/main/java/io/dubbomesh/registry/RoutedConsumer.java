package io.dubbomesh.registry;

/**
 * The caller that routing rules see: this agent, in place of the Dubbo consumer that it stands for.
 *
 * @param application its name
 * @param host        its own address
 * @param tag         of calls that name none; empty for none
 * @param forceTag    whether a tagged call that names no preference fails rather than go to providers without a tag
 */
public record RoutedConsumer(String application, String host, String tag, boolean forceTag) {}
