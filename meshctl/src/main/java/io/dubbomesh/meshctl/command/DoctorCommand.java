package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.doctor.Diagnosis;
import io.dubbomesh.meshctl.doctor.Finding;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import picocli.CommandLine.Command;

import java.util.List;
import java.util.Map;

@Command(
        name = "doctor",
        description = {
            "Looks for what is wrong with an agent and its surroundings, and says what to do.",
            "Exit code 1 if a check fails."
        })
public final class DoctorCommand extends AgentCommand {
    @Override
    public Integer call() {
        List<Finding> findings = new Diagnosis(agent()).findings();
        if (json()) {
            out().println(Json.write(Map.of("findings", findings)));
        } else {
            findings.forEach(this::print);
        }
        return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.FAIL) ? FAILED : DONE;
    }

    private void print(Finding finding) {
        out().printf("%-4s  %s%n", finding.level(), PrintableText.of(finding.text()));
        if (!finding.remedy().isEmpty()) {
            out().println("      -> " + PrintableText.of(finding.remedy()));
        }
    }
}
