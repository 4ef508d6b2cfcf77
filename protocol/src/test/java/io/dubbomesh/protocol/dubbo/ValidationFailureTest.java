package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Violation;
import io.dubbomesh.protocol.dubbo.AnswerReader.Answer;
import io.dubbomesh.protocol.dubbo.exception.ValidationFailure;
import io.dubbomesh.protocol.hessian.HessianLite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class ValidationFailureTest {
    /** The message of every version from 2.5.10 to 3.3.6 with Hibernate Validator. */
    private static final String MESSAGE =
            "Failed to validate service: a.SignUp, method: register, cause: [ConstraintViolationImpl{interpolatedMessage='size must be between 3 and 12',"
                    + " propertyPath=name, rootBeanClass=class a.Account, messageTemplate='{javax.validation.constraints.Size.message}'},"
                    + " ConstraintViolationImpl{interpolatedMessage='must match \".+@.+\"', propertyPath=contact.email, rootBeanClass=class a.Account,"
                    + " messageTemplate='{javax.validation.constraints.Pattern.message}'}]";

    private static final List<Violation> VIOLATIONS = List.of(
            new Violation("contact.email", "must match \".+@.+\""),
            new Violation("name", "size must be between 3 and 12"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javax.validation.ConstraintViolationException",
                "javax.validation.ValidationException",
                "jakarta.validation.ConstraintViolationException"
            })
    void theViolationsAreThoseOfTheText(String exception) {
        assertThat(ValidationFailure.ofException(exception, MESSAGE).violations())
                .isEqualTo(VIOLATIONS);
        assertThat(ValidationFailure.ofException("java.lang.RuntimeException", exception + ": " + MESSAGE)
                        .violations())
                .isEqualTo(VIOLATIONS);
        String unsent =
                "Failed to send response: Response [id=1, version=2.0.0, status=20, event=false, error=null, result=RpcResult [result=null, exception="
                        + exception + ": " + MESSAGE + "]], cause: java.lang.RuntimeException: Serialized class x";
        assertThat(ValidationFailure.ofUnsentException(unsent).violations()).isEqualTo(VIOLATIONS);
    }

    @Test
    void otherExceptionsAreNotOfTheFilter() {
        assertThat(ValidationFailure.ofException("a.ConstraintViolationException", MESSAGE))
                .isNull();
        assertThat(ValidationFailure.ofException("javax.validation.ConstraintViolationException", "email: taken"))
                .isNull();
        assertThat(ValidationFailure.ofException("javax.validation.ValidationException", null))
                .isNull();
        assertThat(ValidationFailure.ofUnsentException("Failed to send response: exception=a.B: " + MESSAGE))
                .isNull();
    }

    /** 2.5 to 3.1 on the first argument itself. */
    @Test
    void anArgumentHasItsNumber() {
        String message =
                "Failed to validate service: a.SignUp, method: rename, cause: [ConstraintViolationImpl{interpolatedMessage='must not be null',"
                        + " propertyPath=renameArgument10, rootBeanClass=class a.SignUp_RenameParameter, messageTemplate='x'},"
                        + " ConstraintViolationImpl{interpolatedMessage='?', propertyPath=renameArgumentation, rootBeanClass=class a.B, messageTemplate='x'}]";
        assertThat(ValidationFailure.ofException("javax.validation.ValidationException", message)
                        .violations())
                .containsExactly(
                        new Violation("args[10]", "must not be null"), new Violation("renameArgumentation", "?"));
    }

    /** Checks 3.2.19 and 3.3.6, where the class file of the interface has no names of parameters. */
    @Test
    void anArgumentWithoutANameHasItsNumberToo() {
        String message =
                "Failed to validate service: a.SignUp, method: rename, cause: [ConstraintViolationImpl{interpolatedMessage='x', propertyPath=arg0,"
                        + " rootBeanClass=class a.B, messageTemplate='x'}, ConstraintViolationImpl{interpolatedMessage='y', propertyPath=arg1.name,"
                        + " rootBeanClass=class a.B, messageTemplate='x'}, ConstraintViolationImpl{interpolatedMessage='z', propertyPath=args,"
                        + " rootBeanClass=class a.B, messageTemplate='x'}]";
        assertThat(ValidationFailure.ofException("javax.validation.ConstraintViolationException", message)
                        .violations())
                .containsExactly(
                        new Violation("args", "z"), new Violation("args[0]", "x"), new Violation("args[1].name", "y"));
    }

    @Test
    void theDocumentHasTheViolations() {
        AnswerReader answers = new AnswerReader();
        Answer answer = answers.read(
                2,
                50,
                HessianLite.write(
                        "Failed to send response: exception=javax.validation.ConstraintViolationException: " + MESSAGE),
                false);
        assertThat(answer)
                .isEqualTo(new Answer(
                        Outcome.VALIDATION_FAILED,
                        Map.of(),
                        "{\"status\":400,\"title\":\"Bad Request\",\"detail\":\"contact.email: must match \\\".+@.+\\\"; name: size must be between 3 and 12\","
                                + "\"code\":\"VALIDATION_FAILED\",\"violations\":[{\"field\":\"contact.email\",\"message\":\"must match \\\".+@.+\\\"\"},"
                                + "{\"field\":\"name\",\"message\":\"size must be between 3 and 12\"}]}"));
    }

    /** A message may be anything, and a text of several megabytes is one that ends nowhere. */
    @Test
    @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
    void aLongTextOfBeginningsTakesNoLongerThanAnother() {
        String message = "Failed to validate service: a.SignUp, method: register, cause: "
                + "ConstraintViolationImpl{interpolatedMessage='".repeat(10_000) + "', propertyPath=".repeat(20_000);
        assertThat(ValidationFailure.ofException("javax.validation.ValidationException", message)
                        .violations())
                .isEmpty();
    }

    /** Another validator than Hibernate's. */
    @Test
    void aTextWithoutViolationsIsTheDetail() {
        ValidationFailure failure = ValidationFailure.ofException(
                "javax.validation.ValidationException",
                "Failed to validate service: a.SignUp, method: register, cause: [name is too short]");
        assertThat(failure.violations()).isEmpty();
        assertThat(failure.detail()).isEqualTo("[name is too short]");
    }
}
