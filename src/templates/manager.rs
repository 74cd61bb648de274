//! The routes by which managers keep templates of their grades.

use super::routes::template_routes;

template_routes! {
    caller: Manager, ManagerRefusals;
    paths:
        "/api/manager/test-templates",
        "/api/manager/test-templates/{id}",
        "/api/manager/test-templates/{id}/generate",
        "/api/manager/test-templates/{id}/swap",
        "/api/manager/test-templates/{id}/questions";
    operations:
        "listManagedTemplates", "createManagedTemplate", "readManagedTemplate", "updateManagedTemplate",
        "deleteManagedTemplate", "generateManagedTemplate", "listManagedSwapCandidates", "swapManagedQuestion",
        "putManagedTemplateQuestions";
    list:
        "The templates that the caller manages without their questions, the most recently changed first.",
        "Those of all whose grades the caller is a manager, among the 1,000 that were changed last; all for admins";
    create: "Creates a template of grades that the caller manages, and draws and locks its questions.";
    update:
        "`Sitting is open`, or `Sitting has begun`, which cannot be forced; for other grades `Template has sittings` or `Template has tests`";
}
