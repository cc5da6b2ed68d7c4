// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade {

/// The commit that this program was built of, as `git describe` names it: a tag or an abbreviated hash. Changes that
/// were not committed are not part of it. `unknown` if the sources were not a git repository.
const char* build_commit();

}  // namespace binade
