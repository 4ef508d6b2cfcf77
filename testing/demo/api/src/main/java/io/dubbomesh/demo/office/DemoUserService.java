package io.dubbomesh.demo.office;

import io.dubbomesh.demo.conformance.Description;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The office's users: each query finds one, whose name and age are those of the query. */
public final class DemoUserService implements UserService {
    @Override
    public List<User> find(UserQuery query) {
        return new ArrayList<>(List.of(first(query)));
    }

    @Override
    public User first(UserQuery query) {
        return new User(1, query.getName(), query.getMinAge() == null ? 0 : query.getMinAge());
    }

    @Override
    public User save(User user) {
        if (user.getId() == null) {
            user.setId(7L);
        }
        return user;
    }

    @Override
    public Map<String, User> saveAll(Map<String, User> users) {
        Map<String, User> saved = new LinkedHashMap<>();
        users.forEach((key, user) -> saved.put(key, save(user)));
        return saved;
    }

    @Override
    public String describe(UserQuery query, List<User> users) {
        return Description.of(query) + " " + Description.of(users);
    }

    @Override
    public User get(Long key) {
        return new User(key, "user " + key, 30);
    }

    @Override
    public Long keyOf(User user) {
        return user.getId();
    }

    @Override
    public User rename(User user, String name) {
        return new User(user.getId(), name, user.getAge());
    }
}
