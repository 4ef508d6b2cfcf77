package io.dubbomesh.consumer.openapi;

import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.client.method.ServiceDescription;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.javadoc.ClassTexts;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.protocol.schema.SchemaNames;
import io.dubbomesh.protocol.schema.TypeSchemas;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Services for which a class of one name is the same class, so that they share its schema. There is one unless services
 * know different versions of a class; the schemas of the others have the name of the first of their services in front.
 */
final class TypeScope {
    private final DefinitionSource source;
    private final List<ServiceDescription> services = new ArrayList<>();
    private final Map<String, TypeDefinition> definitions = new HashMap<>();
    private TypeSchemas schemas;

    private TypeScope(DefinitionSource source) {
        this.source = source;
    }

    /** Returns the scopes of all services, in order. */
    static List<TypeScope> of(
            List<ServiceDescription> described,
            SchemaNames tags,
            SchemaForms forms,
            JsonGenerator json,
            ClassTexts texts) {
        List<TypeScope> scopes = new ArrayList<>();
        for (ServiceDescription service : described) {
            TypeScope scope = scopes.stream()
                    .filter(candidate -> candidate.mayTake(service))
                    .findFirst()
                    .orElse(null);
            if (scope == null) {
                scope = new TypeScope(service.definition().source());
                scopes.add(scope);
            }
            scope.services.add(service);
            scope.definitions.putAll(service.definition().types());
        }
        for (TypeScope scope : scopes) {
            String prefix =
                    scope == scopes.get(0) ? "" : tags.of(scope.services.get(0).service()) + '.';
            SchemaNames names = new SchemaNames(prefix, Set.of(SharedParts.PROBLEM), scope.definitions.keySet());
            scope.schemas = new TypeSchemas(scope.definitions, forms, names, "#/components/schemas/", json, texts);
        }
        return scopes;
    }

    /** What is known of a class, and what is not known of others, depends on the source. */
    private boolean mayTake(ServiceDescription service) {
        return service.definition().source() == source
                && service.definition().types().entrySet().stream().allMatch(type -> {
                    TypeDefinition known = definitions.get(type.getKey());
                    return known == null || known.equals(type.getValue());
                });
    }

    List<ServiceDescription> services() {
        return services;
    }

    TypeSchemas schemas() {
        return schemas;
    }
}
