// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/resolve_executions.h"
#include "engine/exporters/bake.h"
#include "engine/exporters/proof.h"
#include "engine/files/atomic_file.h"
#include "engine/formats/error.h"
#include "engine/formats/output_file.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/samples.h"
#include "engine/host/commands/assigned_model.h"
#include "engine/host/commands/export_findings.h"
#include "engine/host/commands/export_targets.h"
#include "engine/host/input/given_inputs.h"
#include "engine/host/input/named_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/process/exit_code.h"
#include "engine/policy/op_lists.h"
#include "engine/targets/policy_notes.h"

#include <nlohmann/json.hpp>

#include <torch/csrc/jit/api/module.h>

#include <cstdio>
#include <sstream>
#include <string>

namespace binade::host {

namespace {

/// Steps for TorchScript's executor to profile, optimise and run the optimised code; the third is the first that can
/// fail.
constexpr int kExecutorSteps = 5;

/// Resolves the policy for a device that runs both halves natively: the file stores dtypes, and computes in them on any
/// device.
policy::Resolved table_for(const policy::Policy& policy, const graph::Model& model) {
  const graph::FlatGraph flat(model);
  std::vector<const graph::Site*> sites;
  for (const auto& site : flat.sites()) sites.push_back(site.get());
  policy::Capabilities capabilities;
  capabilities.native_float16 = true;
  return autocast::resolve_for(policy, sites, capabilities);
}

/// Adds the table's findings on the model's op calls as notes, and one on a loss outside of forward.
void add_notes(const policy::Policy& policy, const policy::Resolved& table, std::vector<targets::Finding>& findings) {
  for (targets::Finding& note : targets::notes_of(policy, table)) findings.push_back(std::move(note));
  if (policy::rows(policy.base).empty() && policy.ops.empty()) return;
  findings.push_back({targets::Finding::Kind::kNote,
                      "a loss that forward does not compute is not in the file. In a run " + policy::name(policy.base) +
                          " also applies to it; with the file, compute it in float32, from outputs cast with .float()",
                      {}});
}

struct Proven {
  exporters::Proof written;           ///< the file against the policy as written, which may be the closest one
  exporters::Proof policy;            ///< the file against the policy as given
  std::string executor;               ///< why TorchScript's optimising executor cannot train the file; usually empty
  std::vector<std::string> left_out;  ///< rules that the file does not hold
};

void print_left_out(const std::vector<std::string>& rules) {
  if (rules.empty()) return;
  std::printf("Not exported, because the loss belongs to a run and not to the model:\n");
  for (const std::string& rule : rules) std::printf("  %s\n", rule.c_str());
  std::printf("Add these casts yourself, or train with the policy.\n");
}

void print(const ExportOptions& options, const exporters::Baked& baked, const Proven& proven) {
  const exporters::Proof& proof = proven.policy;
  if (options.json) {
    const nlohmann::ordered_json line{{"event", "exported"},
                                      {"model", options.model},
                                      {"policy", options.policy},
                                      {"target", options.target},
                                      {"file", options.out},
                                      {"exact", baked.exact()},
                                      {"identical", proof.identical && proven.left_out.empty()},
                                      {"left_out", proven.left_out},
                                      {"outputs", proof.outputs},
                                      {"gradients", proof.gradients},
                                      {"gradients_compared", proof.gradients_compared},
                                      {"buffers", proof.buffers},
                                      {"first_difference", proof.first_difference},
                                      {"sites", baked.sites},
                                      {"executed", baked.executed},
                                      {"casts", baked.casts},
                                      {"looked_at", baked.looked_at},
                                      {"optimising_executor", proven.executor}};
    print_json(line);
    return;
  }
  std::printf("%s: %d of %d op calls ran, %d casts written, %d dtypes checked at run time\n", options.out.c_str(),
              baked.executed, baked.sites, baked.casts, baked.looked_at);
  std::printf("Largest difference from the engine under %s: outputs %g, gradients %g, buffers %g\n",
              options.policy.c_str(), proof.outputs, proof.gradients, proof.buffers);
  if (proof.gradients_compared == 0) std::printf("No gradient was compared, because no parameter received one.\n");
  if (proof.identical && proven.left_out.empty()) {
    std::printf("Identical to the engine, to the bit, in train and eval mode.\n");
  } else if (proof.identical) {
    std::printf(
        "The exported part is identical to the engine, to the bit, in train and eval mode. Some rules were not "
        "exported.\n");
  } else {
    std::printf("The first difference is in %s. The approximation itself is computed to the bit.\n",
                proof.first_difference.c_str());
  }
  print_left_out(proven.left_out);
  std::printf(
      "Call the file outside of torch.autocast, which would override its casts. Inside, the file prints a warning.\n");
  if (proven.executor.empty()) {
    std::printf(
        "TorchScript's optimising executor trains this file. Its fused kernels may round differently; with "
        "torch.jit.optimized_execution(False) the results are those compared above.\n");
  } else {
    std::printf(
        "TorchScript's optimising executor cannot train this file (%s). Switch it off with "
        "torch.jit.optimized_execution(False).\n",
        proven.executor.c_str());
  }
}

}  // namespace

int export_torchscript(const ExportOptions& options) {
  if (options.out == "-") {
    throw Error(ErrorCode::kUsage, "--out -: a TorchScript file is not a text", "Name a file.");
  }
  if (!options.run.empty() && !options.inputs.empty()) {
    throw Error(ErrorCode::kUsage, "--run: a TorchScript file has no loss scaler, and --input gives the inputs",
                "Leave out --run, or leave out --input to take the first batch of the run.");
  }
  refuse_existing(options.out, "--out");
  const policy::Policy policy = named_policy(options.policy, "export MODEL --policy POLICY --to TARGET --out PATH");
  targets::refuse_foreign_policy(AssignedModel(options.model, policy).assignment(), options.policy);
  const std::vector<c10::IValue> given = example_inputs(options.model, options.inputs, options.run, options.seed);
  const std::vector<std::vector<c10::IValue>> inputs{given};

  const graph::Model model = graph::open_model(options.model);
  const auto table = std::make_shared<policy::Resolved>(table_for(policy, model));
  exporters::Baked baked = exporters::bake(model, *table, inputs);
  add_notes(policy, *table, baked.findings);
  const std::size_t warnings = print_findings(baked.findings, options.json);
  if (!baked.exact() && !options.approximate) {
    throw Error(ErrorCode::kBadPolicy, "TorchScript cannot express all of " + options.policy + ". Nothing was written",
                "Change the policy, or use --approximate.");
  }
  refuse_warnings(options, warnings);

  std::ostringstream saved;
  baked.model.module().save(saved);
  const std::string bytes = std::move(saved).str();
  files::AtomicFile file(options.out);
  file.write(bytes.data(), bytes.size());

  // The proof reads the written file back, before it gets its name.
  const graph::Model loaded = graph::Model::load(file.temporary());
  Proven proven;
  proven.left_out = targets::left_out(policy, *table);
  proven.written = exporters::prove(model, baked.table, loaded, inputs, options.seed);
  if (!proven.written.identical) {
    throw Error(
        ErrorCode::kInternal,
        "The exported file differs from the engine in " + proven.written.first_difference + ". Nothing was written",
        "Use a policy with a rule for the preceding op calls, and please report this model.");
  }
  proven.policy = baked.exact() ? proven.written : exporters::prove(model, table, loaded, inputs, options.seed);
  proven.executor = exporters::train_by_executor(loaded, given, kExecutorSteps, options.seed);
  file.commit();
  print(options, baked, proven);
  return kDone;
}

}  // namespace binade::host
