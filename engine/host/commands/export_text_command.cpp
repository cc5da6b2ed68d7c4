// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/formats/file_refusal.h"
#include "engine/formats/output_file.h"
#include "engine/host/commands/assigned_model.h"
#include "engine/host/commands/export_findings.h"
#include "engine/host/commands/export_targets.h"
#include "engine/host/commands/python_proof.h"
#include "engine/host/input/read_run.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/finding_text.h"
#include "engine/targets/checked_text.h"
#include "engine/targets/policy_notes.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace binade::host {

namespace {

constexpr const char* kStandardOutput = "-";
constexpr std::string_view kRunsInPython = "pytorch";

void check_options(const ExportOptions& options, const targets::Target& target) {
  const std::string name(target.name);
  if (options.prove && target.read == nullptr) {
    throw Error(ErrorCode::kUsage, "--prove: " + name + " is for people and cannot be read back",
                "Leave --prove out, or export to csv or json as well.");
  }
  const bool runs = target.name == kRunsInPython && options.prove;
  if (runs && !options.python_model.empty() && is_confined()) {
    throw Error(
        ErrorCode::kUsage, "--prove runs the exported file in Python, which a confined command cannot start",
        "Leave out --confined if you know the author of the model, or leave out --python-model: the text is then "
        "read back and compared.");
  }
  if (!options.inputs.empty() && !runs) {
    throw Error(ErrorCode::kUsage, "--input: only the target torchscript, and pytorch with --prove, run the model",
                "Leave --input out.");
  }
  if ((!options.python.empty() || !options.python_model.empty()) && !runs) {
    throw Error(ErrorCode::kUsage, "--python and --python-model are for --to pytorch --prove", "Leave them out.");
  }
  if (options.out != kStandardOutput) return refuse_existing(options.out, "--out");
  if (options.json) {
    throw Error(ErrorCode::kUsage, "--out - prints the text where --json prints events",
                "Name a file, or leave out --json.");
  }
}

/// The loss scaler of a run.
wire::ScalerConfig scaler_of_run(const std::string& run) {
  const std::vector<wire::ScalerConfig> scalers = wire::scalers_of(read_run(run));
  if (scalers.size() == 1) return scalers.front();
  throw Error(ErrorCode::kBadRun,
              run + ": scalers: the run has " + std::to_string(scalers.size()) + " loss scalers, a target has one",
              "Export without --run, and set up the scalers in the training program.");
}

nlohmann::ordered_json proof_json(const std::optional<targets::Proof>& proof) {
  if (!proof) return nullptr;
  return {{"op_calls", proof->op_calls}, {"different", proof->different}, {"scaler_equal", proof->scaler_equal}};
}

/// States the op calls that were compared and how many of them are equal. The worse news comes first: a text may treat
/// every op call as in the policy and lack another part of it.
std::string proof_text(const targets::CheckedText& checked) {
  const std::optional<targets::Proof>& proof = checked.proof;
  if (!proof) return "Not read back: the target is for people.";
  const std::size_t equal = proof->op_calls - proof->different.size();
  std::string text =
      checked.exact() ? "" : "Approximated: the text does not say all that the policy says; see above.\n";
  text += "Read back: " + std::to_string(equal) + " of " + policy::op_calls(proof->op_calls) + " equal";
  if (!proof->lost_inside.empty()) text += ", each as a whole";
  return text + (proof->scaler_equal ? "." : "; the loss scaler differs.");
}

/// Runs the text of the Python target beside the engine, with --prove. A text that computes other numbers than the
/// engine is only written with --approximate.
std::optional<PythonProof> run_in_python(const ExportOptions& options, const targets::Target& target,
                                         const targets::Assignment& assignment, const std::string& text) {
  if (target.name != kRunsInPython || !options.prove) return std::nullopt;
  PythonProof proof = prove_in_python(options.model, assignment.policy, text,
                                      {.python = options.python,
                                       .model = options.python_model,
                                       .inputs = options.inputs,
                                       .run = options.run,
                                       .seed = options.seed});
  const bool asked = !options.python.empty() || !options.python_model.empty();
  if (asked && !proof.not_run.empty() && !options.approximate) {
    throw Error(ErrorCode::kBadPolicy, "--prove: Python did not run: " + proof.not_run + ". Nothing was written",
                "Name a Python with torch 2.11 and a module that it can run, or leave out --python and --python-model: "
                "the text is then only read back.");
  }
  if (proof.differs() && !options.approximate) {
    throw Error(ErrorCode::kBadPolicy,
                "Python does not do the same as the engine. " + python_proof_text(proof) + "\nNothing was written",
                "Change the policy for these op calls, or use --approximate.");
  }
  return proof;
}

nlohmann::ordered_json python_json(const std::optional<PythonProof>& proof) {
  if (!proof) return nullptr;
  if (!proof->not_run.empty()) return {{"not_run", proof->not_run}};
  return {{"python", proof->python},       {"torch", proof->torch},
          {"identical", proof->identical}, {"first_difference", proof->first_difference},
          {"skipped", proof->skipped},     {"tensors", proof->tensors},
          {"op_calls", proof->op_calls},   {"different", proof->different},
          {"extra", proof->extra},         {"missing", proof->missing}};
}

void write_text(const std::string& out, const std::string& text) {
  if (out == kStandardOutput) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  files::AtomicFile file(out);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

int export_text(const ExportOptions& options, const targets::Target& target) {
  check_options(options, target);
  const std::string usage = "export MODEL --policy POLICY --to TARGET --out PATH";
  AssignedModel model(options.model, named_policy(options.policy, usage));
  targets::Assignment& assignment = model.assignment();
  targets::refuse_foreign_policy(assignment, options.policy);
  if (!options.run.empty()) assignment.scaler = scaler_of_run(options.run);

  const targets::CheckedText text = targets::checked_text(target, assignment);
  // Beside a text on standard output, messages go where the log goes.
  std::FILE* const out = options.out == kStandardOutput ? stderr : stdout;
  std::vector<targets::Finding> findings = text.written.findings;
  for (targets::Finding& note : targets::notes_of(assignment.policy, assignment.table)) {
    findings.push_back(std::move(note));
  }
  const std::size_t warnings = print_findings(std::move(findings), options.json, out);
  if (!text.exact() && !options.approximate) {
    throw Error(ErrorCode::kBadPolicy,
                std::string(target.title) + " cannot express all of " + options.policy + ". Nothing was written",
                "Change the policy, or use --approximate.");
  }
  refuse_warnings(options, warnings);
  const std::optional<PythonProof> in_python = run_in_python(options, target, assignment, text.written.text);
  write_text(options.out, text.written.text);

  if (options.json) {
    print_json({{"event", "exported"},
                {"model", options.model},
                {"policy", options.policy},
                {"target", std::string(target.name)},
                {"file", options.out},
                {"exact", text.exact()},
                {"op_calls", assignment.keys.size()},
                {"different", text.proof ? text.proof->different.size() : 0},
                {"left_out", targets::left_out(assignment.policy, assignment.table)},
                {"proof", proof_json(text.proof)},
                {"in_python", python_json(in_python)}});
    return kDone;
  }
  for (const std::string& rule : targets::left_out(assignment.policy, assignment.table)) {
    std::fprintf(out, "note: not compared, because the loss belongs to a run: %s\n", rule.c_str());
  }
  std::fprintf(out, "%s: %s, as %s\n%s\n", options.out.c_str(), policy::op_calls(assignment.keys.size()).c_str(),
               std::string(target.title).c_str(), proof_text(text).c_str());
  if (in_python) std::fprintf(out, "%s\n", python_proof_text(*in_python).c_str());
  return kDone;
}

}  // namespace binade::host
