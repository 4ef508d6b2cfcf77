package io.dubbomesh.meshctl.document;

import java.util.List;

/** The services that an agent knows. */
public record ServicesDocument(List<Service> services) {}
