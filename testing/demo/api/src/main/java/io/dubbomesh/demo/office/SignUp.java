package io.dubbomesh.demo.office;

import javax.validation.constraints.NotNull;
import javax.validation.constraints.Size;

/** Its arguments have constraints, which the filter {@code validation} of Dubbo checks at the provider. */
public interface SignUp {
    String register(@NotNull Account account);

    String rename(@NotNull @Size(min = 3) String name, String newName);
}
