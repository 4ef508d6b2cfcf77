package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Registration;
import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import static java.nio.charset.StandardCharsets.UTF_8;

class FileContractTest extends RegistrationContract {
    @TempDir
    private Path folder;

    private Path root() {
        return folder.resolve("mesh");
    }

    private Path file(int x) {
        return root().resolve(GREETER).resolve("192.0.2." + x + "_30000");
    }

    /** Links the root to a folder, by one step. */
    private void link(Path target) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("next"), target);
        Files.move(link, root(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    protected Registry open() throws Exception {
        if (!Files.isSymbolicLink(root())) {
            start();
        }
        return new FileRegistry(root(), new FileTimes(20, 200, 60_000));
    }

    @Override
    protected void put(int x) throws Exception {
        EndpointFile.write(file(x), new byte[0]);
    }

    @Override
    protected void delete(int x) throws Exception {
        Files.delete(file(x));
    }

    @Override
    protected void writeEntry(String value) throws Exception {
        Await.until("the file is there", () -> Files.exists(file(7)));
        EndpointFile.write(file(7), value.getBytes(UTF_8));
    }

    /** The agent may put its own value over one that it has not read: files cannot be compared and written in one. */
    @Override
    protected void writeWeight(Registration registration, int weight) throws Exception {
        writeUntilAdopted(registration, weight);
    }

    /** A link to itself cannot be opened by any user, root included. */
    @Override
    protected void stop() throws Exception {
        link(root());
    }

    @Override
    protected void start() throws Exception {
        link(Files.createDirectories(folder.resolve("entries")));
    }

    @Override
    protected String outage() {
        return " cannot be read: ";
    }

    @Override
    protected void loseData() throws Exception {
        Files.delete(file(7));
    }

    @Override
    protected String name() {
        return root().toString();
    }

    @Override
    protected String noEntry(HostPort address) {
        return "no file of " + address + " in " + root();
    }
}
