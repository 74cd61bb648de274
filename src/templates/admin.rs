//! The routes by which admins keep all templates.

use super::routes::template_routes;

template_routes! {
    caller: Admin, AdminRefusals;
    paths:
        "/api/admin/test-templates",
        "/api/admin/test-templates/{id}",
        "/api/admin/test-templates/{id}/generate",
        "/api/admin/test-templates/{id}/swap",
        "/api/admin/test-templates/{id}/questions";
    operations:
        "listTemplates", "createTemplate", "readTemplate", "updateTemplate",
        "deleteTemplate", "generateTemplate", "listSwapCandidates", "swapQuestion",
        "putTemplateQuestions";
    list:
        "All templates without their questions, the most recently changed first.",
        "The 1,000 that were changed last";
    create: "Creates a template, and draws and locks its questions.";
    update:
        "`Sitting is open`, or `Sitting has begun`, which cannot be forced";
}
