// The description of the server's interface (OpenAPI 3.1).
#pragma once

#include <string>
#include <string_view>

namespace leitong::server {

/// The description, made from routes() (paths, methods, parameters, what each can be refused for), the
/// library's table of settings (the members of a new index), and `parts`, a JSON document of what these do
/// not say:
/// - "problems": the meaning of each status, by its number.
/// - "index", "query": the parameter of paths, and those of queries by their names.
/// - "operations": by Route::operation. "summary", "description" and "tag"; "body" (schema and example of
///   JSON) or "bodies" (a description, and the content by media type), and "body_optional"; "answer" for
///   status 200 or "answers" by status; "query" for parameters that mean something else here, and "problems",
///   the statuses that do not follow from the route.
/// - the rest, as it stands in the description; "securitySchemes" and "schemas" among its components.
///
/// Throws nlohmann's exceptions if `parts` is something else.
[[nodiscard]] std::string openapi_json(std::string_view parts);

}  // namespace leitong::server
