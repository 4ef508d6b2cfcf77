package io.dubbomesh.runtime.process;

/**
 * Prints the agent in a jar and its version: {@code java -cp consumer-agent.jar io.dubbomesh.runtime.process.Version}.
 */
final class Version {
    private Version() {}

    public static void main(String[] args) {
        Package jar = Version.class.getPackage();
        System.out.println(jar.getImplementationTitle() + ' ' + jar.getImplementationVersion() + " (Java "
                + Runtime.version() + ')');
    }
}
