package io.dubbomesh.protocol.javadoc;

/** What people have written about classes and their fields, for their schemas. */
public interface ClassTexts {
    ClassTexts NONE = new ClassTexts() {
        @Override
        public String ofClass(String className) {
            return null;
        }

        @Override
        public String ofField(String className, String field) {
            return null;
        }
    };

    /** Returns the description of a class, which is named without type arguments; null if there is none. */
    String ofClass(String className);

    /** Returns the description of a field that objects of the class have; null if there is none. */
    String ofField(String className, String field);
}
