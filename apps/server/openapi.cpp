#include "openapi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "api.hpp"
#include "index_settings.hpp"

namespace leitong::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kJson = "application/json";

Json reference(std::string_view kind, std::string_view name) {
  return {{"$ref", fmt::format("#/components/{}/{}", kind, name)}};
}

Json take(Json& from, std::string_view name) {
  Json taken = std::move(from.at(name));
  from.erase(name);
  return taken;
}

/// A schema and an example of JSON, as the content of a body.
Json json_content(Json described) {
  described.erase("description");
  return {{kJson, std::move(described)}};
}

Json parameters_of(const Route& route, const Json& parts, const Json& operation) {
  Json parameters = Json::array();
  const auto add = [&](std::string_view name, std::string_view in, const Json& what) {
    Json parameter = {{"name", name}, {"in", in}};
    if (in == "path") parameter["required"] = true;
    parameter.update(what);
    parameters.push_back(std::move(parameter));
  };
  if (route.path.find("{index}") != std::string_view::npos) add("index", "path", parts.at("index"));
  for (const std::string_view name : words_in(route.query)) {
    const bool is_own = operation.contains("query") && operation["query"].contains(name);
    add(name, "query", (is_own ? operation : parts).at("query").at(name));
  }
  return parameters;
}

/// The statuses that a route can be refused with, whatever it does.
std::set<unsigned> problems_of(const Route& route) {
  std::set<unsigned> problems{421};
  if (route.role != Role::none) problems.insert({401, 403, 429, 503});
  if (route.body) problems.insert({400, 413, 415, 422});
  if (route.path.find("{index}") != std::string_view::npos && route.method != Method::put)
    problems.insert(404);
  return problems;
}

Json responses_of(const Route& route, const Json& operation) {
  Json answers = operation.contains("answers") ? operation["answers"] : Json{{"200", operation.at("answer")}};
  for (Json& answer : answers)
    if (answer.contains("schema"))
      answer = {{"description", answer["description"]}, {"content", json_content(answer)}};
  std::set<unsigned> problems = problems_of(route);
  if (operation.contains("problems")) problems.merge(operation["problems"].get<std::set<unsigned>>());
  for (const unsigned status : problems)
    answers[std::to_string(status)] = reference("responses", fmt::format("p{}", status));
  return answers;
}

Json described(const Route& route, const Json& parts, const Json& operation) {
  Json made = {{"operationId", route.operation},
               {"summary", operation.at("summary")},
               {"tags", Json::array({operation.at("tag")})}};
  if (operation.contains("description")) made["description"] = operation["description"];
  if (Json parameters = parameters_of(route, parts, operation); !parameters.empty())
    made["parameters"] = std::move(parameters);
  if (route.body) {
    made["requestBody"] = {{"required", !operation.contains("body_optional")}};
    made["requestBody"].update(operation.contains("body") ? Json{{"content", json_content(operation["body"])}}
                                                          : operation.at("bodies"));
  }
  made["responses"] = responses_of(route, operation);
  return made;
}

/// The schemas of the settings of an index, by the table; `more` is merged into each.
Json settings_properties(const Json& more) {
  Json properties;
  online::Settings settings;
  each_requested_setting(settings, [&](const Setting& setting, const SettingValue& value) {
    Json property = {{"type", "string"}};
    if (std::holds_alternative<bool*>(value)) property["type"] = "boolean";
    if (std::holds_alternative<std::vector<std::string>*>(value))
      property = {{"type", "array"}, {"items", {{"type", "string"}}}};
    if (const auto words = words_of(setting); !words.empty()) property["enum"] = words;
    property["description"] = setting.help;
    if (more.contains(setting.name)) property.merge_patch(more[setting.name]);
    properties[setting.name] = std::move(property);
  });
  return properties;
}

}  // namespace

std::string openapi_json(std::string_view parts) {
  Json made = Json::parse(parts);
  const Json shared = {{"index", take(made, "index")}, {"query", take(made, "query")}};
  Json operations = take(made, "operations"), problems = take(made, "problems");
  Json& members = operations.at("make_index").at("body").at("schema").at("properties");
  members = settings_properties(members);
  for (const Route& route : routes()) {
    std::string method(method_name(route.method));
    std::ranges::transform(method, method.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    made["paths"][route.path][method] = described(route, shared, operations.at(route.operation));
  }
  Json components;
  components["securitySchemes"] = take(made, "securitySchemes");
  for (const auto& [status, meaning] : problems.items())
    components["responses"]["p" + status] = {
        {"description", meaning},
        {"content", {{"application/problem+json", {{"schema", reference("schemas", "Problem")}}}}}};
  components["schemas"] = take(made, "schemas");
  made["components"] = std::move(components);
  return made.dump();
}

}  // namespace leitong::server
