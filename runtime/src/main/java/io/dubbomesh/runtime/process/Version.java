package io.dubbomesh.runtime.process;

/** Which agent a jar holds, in which version: {@code java -cp consumer-agent.jar io.dubbomesh.runtime.process.Version}. */
final class Version {
    private Version() {}

    public static void main(String[] args) {
        Package jar = Version.class.getPackage();
        System.out.println(jar.getImplementationTitle() + ' ' + jar.getImplementationVersion() + " (Java "
                + Runtime.version() + ')');
    }
}
