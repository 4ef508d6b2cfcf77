package io.dubbomesh.runtime.process;

/**
 * Prints a program and the version of the jar that it is in:
 * {@code java -cp consumer-agent.jar io.dubbomesh.runtime.process.Version gateway}.
 */
final class Version {
    private Version() {}

    public static void main(String[] args) {
        String version = Version.class.getPackage().getImplementationVersion();
        System.out.println(args[0] + ' ' + version + " (Java " + Runtime.version() + ')');
    }
}
