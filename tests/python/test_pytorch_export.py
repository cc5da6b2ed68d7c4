# SPDX-License-Identifier: Apache-2.0
"""What `binade-engine export --to pytorch` writes, on eager models: the same bits as the engine, and a check that finds
what differs."""
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

import export_models
import torch
from engine import lines, run_engine

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = ("residual", "tagger", "encoder", "u_net", "operators")
LSTM_IN_BFLOAT16 = ("cpu-amp", "cpu-amp with rules", "a changed op")


def rules(**formats):
    return [{"match": match.replace("__", "."), "format": form} for match, form in formats.items()]


def policies(model):
    """Policies of every kind that PyTorch can carry out, by name."""
    some = {"residual": {"layers__0": "float32", "head": "float32"}, "tagger": {"head": "float32"},
            "encoder": {"layers__0__linear1": "float32", "layers__1__self_attn": "float32"},
            "u_net": {"down": "float32", "last": "float32"}, "operators": {"query": "float32"}}
    low = {"residual": {"stem": "bfloat16"}, "tagger": {"head": "bfloat16"}, "encoder": {"head": "bfloat16"},
           "u_net": {"last": "bfloat16"}, "operators": {"query": "bfloat16"}}
    return {
        "cpu-amp": {"base": "cpu-amp", "low": "bfloat16"},
        "cpu-amp with rules": {"base": "cpu-amp", "low": "bfloat16", "sites": rules(**some[model])},
        "cuda-amp": {"base": "cuda-amp", "low": "bfloat16"},
        "all-float32 with rules": {"base": "all-float32", "sites": rules(**low[model])},
        "a changed op": {"base": "cpu-amp", "low": "bfloat16", "ops": {"aten::linear": "float32"}},
        "apex-o1": {"base": "apex-o1", "low": "bfloat16"},
    }


# Op calls of the model's own forward, outside of all modules: one of several, and all of one op.
OF_THE_MODEL = {"base": "cpu-amp", "low": "bfloat16", "sites": [{"match": "aten::matmul#0", "format": "float32"},
                                                               {"match": "aten::bmm#0", "format": "float32"}]}


def load(path):
    spec = importlib.util.spec_from_file_location("exported_" + os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bfloat16_lstm_runs():
    """Whether oneDNN has an LSTM in bfloat16 on this processor; it wants AVX-512."""
    try:
        with torch.autocast("cpu", torch.bfloat16):
            torch.nn.LSTM(4, 4)(torch.randn(1, 1, 4))
        return True
    except RuntimeError:
        return False


class PyTorchExport(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def path(self, name):
        return os.path.join(self.scratch.name, name)

    def saved(self, name, traced=False):
        torch.manual_seed(3)
        model, batch = export_models.make(name), export_models.batch(name)
        path = self.path(f"{name}{'_traced' if traced else ''}.pt")
        (torch.jit.trace(model, batch, check_trace=False) if traced else torch.jit.script(model)).save(path)
        return path

    def exported(self, model, policy, *options):
        """The last event of the export, and the file."""
        self.count = getattr(self, "count", 0) + 1
        policy_file, out = self.path(f"policy{self.count}.json"), self.path(f"policy{self.count}.py")
        with open(policy_file, "w", encoding="utf-8") as file:
            json.dump({"binade_policy": 1, **policy}, file)
        return lines("export", model, "--policy", policy_file, "--to", "pytorch", "--out", out, *options)[-1], out

    def hooks_of(self, model):
        return sum(len(each._forward_hooks) + len(each._forward_pre_hooks) for each in model.modules())

    def prove(self, name, policy, traced=False):
        specs = [item for spec in export_models.specs(name) for item in ("--input", spec)]
        event, _ = self.exported(self.saved(name, traced), policy, "--prove", "--approximate", *specs, "--python",
                                 sys.executable, "--python-model", f"{HERE}/export_models.py:{name}")
        return event["in_python"]

    def test_python_computes_the_engines_bits(self):
        compared = calls = 0
        for name in MODELS:
            for policy_name, policy in policies(name).items():
                with self.subTest(model=name, policy=policy_name):
                    if (name, policy_name) == ("encoder", "apex-o1"):
                        continue  # Apex's list does not reach into scaled_dot_product_attention: see the next test
                    if name == "tagger" and policy_name in LSTM_IN_BFLOAT16 and not bfloat16_lstm_runs():
                        print(f"{name} with {policy_name}: left out, PyTorch runs no LSTM in bfloat16 on this CPU")
                        continue
                    proof = self.prove(name, policy)
                    if "not_run" in proof:
                        self.assertEqual((name, policy_name), ("tagger", "cuda-amp"))
                        self.assertIn("emulates lstm", proof["not_run"])
                        continue
                    self.assertEqual(proof["first_difference"], "")
                    self.assertEqual(proof["different"], [])
                    self.assertEqual(proof["extra"], [])
                    compared += proof["tensors"]
                    calls += proof["op_calls"]
        print(f"{compared} tensors identical; dtypes of {calls} op calls compared")

    def test_rules_for_op_calls_of_the_model_itself_apply(self):
        proof = self.prove("operators", OF_THE_MODEL)
        self.assertEqual((proof["first_difference"], proof["different"], proof["extra"]), ("", [], []))
        _, out = self.exported(self.saved("operators"), OF_THE_MODEL)
        exported = load(out)
        self.assertEqual(exported.SITES, {"aten::matmul#0": "float32", "/aten::bmm": "float32"})
        ran = []
        run = exported._Mode._run
        exported._Mode._run = lambda mode, func, op, *rest: ran.append(op) or run(mode, func, op, *rest)
        model = export_models.make("operators")
        with exported.apply(model):
            model(*export_models.batch("operators"))
        self.assertEqual(ran, ["matmul", "bmm"])

    def test_rules_for_the_model_itself_leave_modules_alone(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp"])
        model, batch = export_models.make("residual").eval(), export_models.batch("residual")
        with load(out).apply(model):
            expected = model(*batch)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        with open(out, "w", encoding="utf-8") as file:  # the model itself calls none
            file.write(text.replace("SITES = {}", 'SITES = {"/aten::conv2d": "float32"}'))
        with load(out).apply(model):
            self.assertTrue(torch.equal(model(*batch), expected))

    def test_the_check_finds_rules_that_apply_does_not_reach(self):
        _, out = self.exported(self.saved("operators"), OF_THE_MODEL)
        exported = load(out)
        exported._module_of = lambda key: "query"  # apply then watches this module alone
        result = exported.check(export_models.make("operators"), export_models.batch("operators"), report=[].append)
        self.assertEqual([text.split(": ")[0] for text in result.different], ["aten::matmul#0", "aten::bmm#0"])

    def test_what_cpp_ops_call_inside_is_declared(self):
        path = self.path("refused.py")
        policy = self.path("refused.json")
        with open(policy, "w", encoding="utf-8") as file:
            json.dump({"binade_policy": 1, **policies("encoder")["apex-o1"]}, file)
        with self.assertRaisesRegex(AssertionError, r"make inside C\+\+"):
            run_engine("export", self.saved("encoder"), "--policy", policy, "--to", "pytorch", "--out", path)
        self.assertFalse(os.path.exists(path))

    def test_names_of_traced_models_count_alike(self):
        proof = self.prove("residual", policies("residual")["cpu-amp with rules"], traced=True)
        self.assertEqual((proof["different"], proof["extra"]), ([], []))

    def test_without_single_rules_no_mode_is_entered(self):
        _, out = self.exported(self.saved("u_net"), policies("u_net")["cpu-amp with rules"])
        exported = load(out)
        self.assertEqual((exported.OPS, exported.SITES), ({}, {}))
        entered = []
        exported._Mode.__enter__ = lambda self: entered.append(self)
        model = export_models.make("u_net")
        with exported.apply(model):
            model(*export_models.batch("u_net"))
        self.assertEqual(entered, [])

    def test_the_check_finds_an_op_that_differs(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp"])
        model, batch = export_models.make("residual"), export_models.batch("residual")
        said = []
        self.assertTrue(load(out).check(model, batch, report=said.append).ok, said)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        with open(out, "w", encoding="utf-8") as file:  # the table of the check stays
            file.write(text.replace("SITES = {}", 'SITES = {"head/aten::linear#0": "float32"}'))
        result = load(out).check(model, batch, report=said.append)
        self.assertEqual(len(result.different), 1, said)
        self.assertIn("head/aten::linear#0", result.different[0])

    def test_the_check_knows_rules_for_single_calls(self):
        policy = {"base": "cpu-amp", "low": "bfloat16",
                  "sites": [{"match": "aten::tanh#0", "call": 1, "format": "float32"}]}
        model, batch = export_models.make("operators"), export_models.batch("operators")
        _, out = self.exported(self.saved("operators"), policy)
        exported = load(out)
        self.assertEqual(exported.SITES, {"aten::tanh#0@1": "float32"})
        said = []
        self.assertTrue(exported.check(model, batch, report=said.append).ok, said)
        exported._Mode._treatment = lambda *_: None
        result = exported.check(model, batch, report=[].append)
        self.assertEqual([text.split(": ")[0] for text in result.different], ["aten::tanh#0, call 1"])
        proof = self.prove("operators", policy)
        self.assertEqual((proof["first_difference"], proof["different"], proof["extra"]), ("", [], []))

    def test_hooks_are_removed_also_after_a_failed_forward(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp with rules"])
        model, batch = export_models.make("residual"), export_models.batch("residual")
        with load(out).apply(model):
            with self.assertRaises(RuntimeError):
                model(torch.zeros(2, 5, 8, 8))
            self.assertFalse(torch.is_autocast_enabled("cpu"))
            self.assertEqual(model(*batch).dtype, torch.float32)
        self.assertEqual(self.hooks_of(model), 0)

    def test_a_check_uses_the_installed_policy_and_leaves_autocast_off(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp with rules"])
        model, batch = export_models.make("residual"), export_models.batch("residual")
        exported, quiet = load(out), [].append
        applied = exported.apply(model)
        hooks = self.hooks_of(model)
        self.assertTrue(exported.check(model, batch, report=quiet).ok)
        self.assertFalse(torch.is_autocast_enabled("cpu"))
        with self.assertRaises(RuntimeError):
            exported.check(model, torch.zeros(2, 5, 8, 8), report=quiet)
        self.assertFalse(torch.is_autocast_enabled("cpu"))
        self.assertEqual(self.hooks_of(model), hooks)
        with self.assertRaisesRegex(ValueError, r"installed for cpu"):
            exported.check(model, batch, "cuda", report=quiet)
        model(*batch)
        self.assertFalse(torch.is_autocast_enabled("cpu"))
        applied.remove()
        self.assertEqual(self.hooks_of(model), 0)

    def test_a_second_policy_is_refused_until_the_first_is_removed(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp"])
        model = export_models.make("residual")
        first, second = load(out), load(out)
        applied = first.apply(model)
        for call in (first.apply, second.apply, lambda each: second.check(each, export_models.batch("residual"))):
            with self.assertRaisesRegex(ValueError, r"Residual has a policy already: call remove\(\)"):
                call(model)
        applied.remove()
        second.apply(model).remove()

    def test_another_model_is_refused_by_name(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp"])
        with self.assertRaisesRegex(ValueError, "another model"):
            load(out).apply(export_models.make("encoder"))

    def test_a_scaler_has_the_runs_settings(self):
        run = self.path("run.json")
        with open(run, "w", encoding="utf-8") as file:
            scaler = {"init_scale": 1024, "growth_interval": 50}
            json.dump({"binade_run": 1, "model": "sample:mlp", "scaler": scaler}, file)
        _, out = self.exported("sample:mlp", {"base": "cuda-amp", "low": "float16"}, "--run", run)
        scaler = load(out).scaler("cpu")
        self.assertEqual((scaler.get_scale(), scaler.get_growth_interval()), (1024, 50))

    def test_without_a_python_model_the_proof_states_why_it_did_not_run(self):
        event, _ = self.exported(self.saved("residual"), policies("residual")["cpu-amp"], "--prove")
        self.assertRegex(event["in_python"]["not_run"], "--python-model")
        self.assertTrue(event["exact"])

    def prove_residual(self, text, *options):
        """The last event of a proof with a module of this text, whose function `made` returns the model."""
        module = self.path("their_model.py")
        with open(module, "w", encoding="utf-8") as file:
            file.write(f"import sys\nsys.path.insert(0, {HERE!r})\nimport export_models\nimport torch\n{text}")
        return self.exported(self.saved("residual"), policies("residual")["cpu-amp"], "--prove", "--python-model",
                             f"{module}:made", "--input", export_models.specs("residual")[0], *options)[0]["in_python"]

    def test_a_python_without_torch_is_named(self):
        bare = self.path("python")
        with open(bare, "w", encoding="utf-8") as file:  # without the folders of packages, and without PYTHONPATH
            file.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S "$@"\n')
        os.chmod(bare, 0o755)
        with self.assertRaisesRegex(AssertionError, "Python did not run: .* has no torch"):
            self.prove_residual("made = export_models.residual", "--python", bare)
        proof = self.prove_residual("made = export_models.residual", "--python", bare, "--approximate")
        self.assertRegex(proof["not_run"], "has no torch")

    def test_a_python_that_is_missing_is_named(self):
        with self.assertRaisesRegex(AssertionError, "none could not be started: No such file"):
            self.prove_residual("made = export_models.residual", "--python", self.path("none"))

    def test_a_python_that_dies_is_a_failure(self):
        ends = {"os._exit(9)": "exit code 9", "os._exit(0)": "ended before", "os.kill(os.getpid(), 9)": "Killed",
                "os.abort()": "Aborted"}
        for end, told in ends.items():
            with self.subTest(end), self.assertRaisesRegex(AssertionError, told):
                self.prove_residual(f"import os\ndef made():\n    {end}\n", "--python", sys.executable)
        with self.assertRaisesRegex(AssertionError, "exit code 1"):
            self.prove_residual("made = export_models.residual", "--python", "/usr/bin/false")

    def test_what_the_module_prints_is_no_answer(self):
        proof = self.prove_residual("import atexit\natexit.register(print, 'bye')\nmade = export_models.residual",
                                    "--python", sys.executable)
        self.assertTrue(proof["identical"], proof)

    def test_an_op_call_that_the_policy_lacks_is_a_difference(self):
        text = ("class More(export_models.Residual):\n    def forward(self, x):\n        torch.tanh(x)\n"
                "        return super().forward(x)\nmade = More\n")
        with self.assertRaisesRegex(AssertionError, "aten::tanh: Python calls it"):
            self.prove_residual(text, "--python", sys.executable)
        proof = self.prove_residual(text, "--python", sys.executable, "--approximate")
        self.assertEqual((proof["identical"], len(proof["extra"])), (True, 1))

    def test_a_file_without_modes_is_compared_in_all(self):
        policy = policies("u_net")["cpu-amp"]
        self.assertEqual([self.prove("u_net", policy, traced)["skipped"] for traced in (False, True)], ["", ""])
        self.assertEqual(self.prove("u_net", policy)["tensors"], self.prove("u_net", policy, traced=True)["tensors"])
        self.assertRegex(self.prove("residual", policies("residual")["cpu-amp"], traced=True)["skipped"],
                         "other modes than train mode")

    def test_the_module_is_one_file_with_torch_alone(self):
        _, out = self.exported(self.saved("residual"), policies("residual")["cpu-amp"])
        with open(out, encoding="utf-8") as file:
            imports = set(re.findall(r"^(?:import|from) (\w+)", file.read(), re.MULTILINE))
        self.assertLessEqual(imports - {"torch"}, set(sys.stdlib_module_names))
        done = subprocess.run([sys.executable, "-W", "error", "-m", "py_compile", out], check=False)
        self.assertEqual(done.returncode, 0)

    def test_reading_back_an_edited_file_gives_the_edit(self):
        model = self.saved("residual")
        _, out = self.exported(model, policies("residual")["cpu-amp"])
        with open(out, encoding="utf-8") as file:
            text = file.read().replace("REGIONS = {}", 'REGIONS = {\n    "head": "float32"\n}')
        with open(out, "w", encoding="utf-8") as file:
            file.write(text)
        back = self.path("back.json")
        run_engine("policy", "import", out, model, "--from", "pytorch", "--out", back)
        with open(back, encoding="utf-8") as file:
            self.assertEqual([rule["match"] for rule in json.load(file)["sites"]], ["head"])


if __name__ == "__main__":
    unittest.main()
