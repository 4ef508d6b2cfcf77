package io.dubbomesh.registry.file;

import io.dubbomesh.registry.RegistrationContract;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.UTF_8;

class FileRegistrationContractTest extends RegistrationContract {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("com.example.Greeter/192.0.2.7_30000");
    }

    @Override
    protected Registry open() {
        return new FileRegistry(folder, new FileTimes(20, 200, 1_000));
    }

    @Override
    protected void deleteEntry() throws Exception {
        Files.delete(file());
    }

    @Override
    protected void writeEntry(String value) throws Exception {
        Await.until("the file is there", () -> Files.exists(file()));
        EndpointFile.write(file(), value.getBytes(UTF_8));
    }

    @Override
    protected void loseData() throws Exception {
        Files.delete(file());
    }
}
