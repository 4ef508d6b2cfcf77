/**
 * Services that are more than a list of methods with their own classes: each has one peculiarity of real providers,
 * that {@code Vault} requires a token, {@code UserService} inherits from generic interfaces, {@code DrawingService}
 * takes subclasses, {@code Cashier} throws exceptions with fields, {@code SignUp} is validated, {@code Diary} has
 * values that can be written in several ways, and {@code Ledger} has no interface.
 */
package io.dubbomesh.demo.office;
